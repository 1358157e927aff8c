import FxAudio
import Synchronization

/// The files of a CUE sheet, played one after another as one sound in the format of the first.
///
/// Tracks are at times of the whole. So every file is opened at the start to learn its length, and
/// one that fails later is an error.
final class SheetSource: AudioSource {
  let name: String
  let format: StreamFormat
  private let files: CueFiles
  /// The frame at which each file begins, and the end of the last.
  private let starts: [Int]
  private var index = 0
  private var position = 0
  private let current: Mutex<Current>
  private let monitor = OpeningMonitor()
  private var remarks: [String] = []

  /// The file that another thread may interrupt.
  private struct Current: @unchecked Sendable {
    // Sendable: read and replaced under a lock; other threads only call `interrupt`.
    var source: (any AudioSource)?
  }

  init(_ files: CueFiles, _ opening: OpeningMonitor?) throws(Failure) {
    self.files = files
    name = files.path
    let first = try files.open(0, opening)
    format = first.format
    var starts = [0]
    for index in files.paths.indices {
      opening?.noteRead()
      if opening?.isGivenUp == true { throw Failure(.interrupted, name, "opening was stopped") }
      let source = index == 0 ? first : try files.open(index, opening).fitted(to: format)
      // Counting reads to the end, so that the reader is not needed any more.
      let count = try source.countFrames()
      starts.append(starts[index] + count)
    }
    self.starts = starts
    current = Mutex(Current(source: first.frameCount == nil ? nil : first))
  }

  /// The beginnings of the files in seconds.
  var fileStarts: [Double] { starts.dropLast().map { Double($0) / format.sampleRate } }

  var frameCount: Int? { starts.last }
  var warnings: [String] { remarks }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    while frameCount > 0, index < files.paths.count {
      let left = starts[index + 1] - position
      guard left > 0 else {
        try go(to: index + 1)
        continue
      }
      if current.withLock({ $0.source }) == nil { try go(to: index) }
      let source = current.withLock { $0.source }
      let count = try named { () throws(Failure) in
        try source?.read(into: channels, frameCount: min(frameCount, left)) ?? 0
      }
      position += count
      if count > 0 { return count }
      throw Failure(
        .truncated, name,
        "\(files.paths[index]) ends \(left) frames before its header says, and the tracks after it "
          + "would move; take a whole copy")
    }
    return 0
  }

  func seek(toFrame frame: Int) throws(Failure) {
    let target = starts.dropLast().lastIndex { $0 <= frame } ?? 0
    if target != index || current.withLock({ $0.source }) == nil { try go(to: target) }
    let source = current.withLock { $0.source }
    try named { () throws(Failure) in try source?.seek(toFrame: frame - starts[target]) }
    position = frame
  }

  /// Opens a file at its beginning.
  private func go(to next: Int) throws(Failure) {
    if let source = current.withLock({ $0.source }) {
      for remark in source.warnings where !remarks.contains("\(source.name): \(remark)") {
        remarks.append("\(source.name): \(remark)")
      }
    }
    current.withLock { $0.source = nil }
    index = next
    guard next < files.paths.count else { return }
    position = starts[next]
    let source = try named { () throws(Failure) in
      try files.open(next, monitor).fitted(to: format)
    }
    current.withLock { $0.source = source }
  }

  /// Errors of a file are errors of the sheet, which is the chain's source.
  private func named<Value>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    do throws(Failure) {
      return try body()
    } catch {
      throw error.code == .interrupted ? error : Failure(error.code, name, "\(error)")
    }
  }

  func interrupt() {
    monitor.giveUp()
    current.withLock { $0.source?.interrupt() }
  }
}

/// A sound with more warnings.
final class RemarkedSource: ChangedSource {
  let source: any AudioSource
  private let remarks: [String]

  init(_ source: any AudioSource, _ remarks: [String]) {
    self.source = source
    self.remarks = remarks
  }

  var warnings: [String] { remarks + source.warnings }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    try source.read(into: channels, frameCount: frameCount)
  }
}
