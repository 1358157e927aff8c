import FxAudio
import Glibc

/// Head-related impulse responses in the AES69 format (SOFA).
///
/// libmysofa may crash over a damaged file, so that a process of its own reads it (`SOFAHost`).
enum SOFAFile {
  /// The most bytes of a file.
  static let byteLimit = GuardedFile.usualByteLimit
  /// The longest time in seconds until the process is killed.
  private static let patience = 120.0

  /// True for the signature of HDF5, the container of SOFA.
  static func isOne(_ start: [UInt8]) -> Bool {
    start.starts(with: [0x89, 0x48, 0x44, 0x46, 13, 10, 26, 10])
  }

  /// For each direction of `HeadGrid`, the nearest response of each ear, including its delay.
  ///
  /// - Throws: `Failure` if the file cannot be read or the library is missing.
  static func read(
    _ bytes: [UInt8], _ path: String, sampleRate: Double, _ monitor: OpeningMonitor
  ) throws(Failure) -> SoundAsset {
    var request = ByteEncoder()
    request.put(sampleRate)
    request.put(bytes)
    let (answer, child) = try start(request.bytes, path)
    try wait(for: child, path, monitor)
    return try SOFAAnswer.read(answer.bytes(limit: SOFAAnswer.byteLimit), path)
  }

  /// Starts the process that reads the file.
  private static func start(
    _ request: [UInt8], _ path: String
  ) throws(Failure) -> (answer: UnnamedFile, child: ChildProcess) {
    do throws(Failure) {
      let (answer, messages) = (try UnnamedFile(), try UnnamedFile())
      let child = try ChildTask(.sofa, request: request).start(
        channel: answer.descriptor, messages: messages)
      return (answer, child)
    } catch {
      throw Failure(.unreadable, path, "a SOFA file is read by another process: \(error)")
    }
  }

  private static func wait(
    for child: ChildProcess, _ path: String, _ monitor: OpeningMonitor
  ) throws(Failure) {
    var end: ChildProcess.End?
    var waited = 0.0
    while end == nil {
      end = child.wait(seconds: 0.1)
      waited += 0.1
      monitor.noteRead()
      guard !monitor.isGivenUp, waited < patience else {
        _ = child.kill()
        throw Failure(.timeout, path, "reading it did not end within \(Int(patience)) s")
      }
    }
    switch end {
    case .status(0)?, nil: return
    case .signal(SIGXCPU)?:
      throw Failure(
        .damaged, path,
        "reading it takes more than \(ChildRole.sofa.limits.processor ?? 0) s of processor time; it is damaged or "
          + "too large")
    case .signal(SIGKILL)?, .unknown?:
      throw Failure(
        .unreadable, path, "the process that read it was killed; try again, or free some memory")
    case .some(let end):
      throw Failure(
        .damaged, path,
        "it is damaged: libmysofa crashed over it (\(end.description)); take another copy")
    }
  }
}
