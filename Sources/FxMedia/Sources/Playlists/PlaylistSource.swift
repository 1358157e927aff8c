import FxAudio
import FxFrames
import Synchronization

/// The entries of a playlist, played one after another as one sound in the format of the first
/// entry that plays.
///
/// An entry that fails is reported and skipped. Seeking back is impossible: an entry is only
/// opened, and known, after the previous one has ended.
final class PlaylistSource: AudioSource {
  let name: String
  let format: StreamFormat
  var frameCount: Int? { nil }
  var isSeekable: Bool { false }
  var isStreamed: Bool { true }
  private(set) var warnings: [String] = []
  private let entries: [(target: PlaylistTarget, title: String?)]
  private let settings: StreamSettings
  private let lists: OpenPlaylists
  /// Stops the opening of an entry.
  private let monitor = OpeningMonitor()
  private var next = 0
  private var position = 0
  private let current = Mutex(Current())

  /// The state that another thread may interrupt.
  private struct Current: @unchecked Sendable {
    // Sendable: read and replaced under a lock; other threads only call `interrupt`.
    var source: (any AudioSource)?
    var entry: (any AudioSource)?
    var isInterrupted = false
  }

  private static let warningLimit = 100

  /// Opens the first entry that can be played.
  ///
  /// - Parameter lists: this playlist and the playlists that contain it.
  init(
    _ playlist: Playlist, at place: PlaylistPlace, name: String,
    within lists: OpenPlaylists, _ settings: StreamSettings, _ opening: OpeningMonitor?
  ) throws(IOError) {
    self.name = name
    self.settings = settings
    self.lists = lists
    var entries: [(PlaylistTarget, String?)] = []
    var refused: IOError?
    for entry in playlist.entries {
      if let target = place.resolved(entry) {
        entries.append((target, entry.title))
      } else {
        refused = IOError(
          .unsupportedFormat, name,
          "'\(entry.reference)' is skipped: a playlist names files beside it and http addresses, "
            + "and one from a server no files of this machine")
        if let refused { Self.report(refused, settings) }
      }
    }
    self.entries = entries
    var failure = refused ?? IOError(.empty, name, "a playlist without entries")
    while next < entries.count, opening?.isGivenUp != true {
      do throws(IOError) {
        let source = try Self.open(entries[next].0, settings, lists, opening)
        format = source.format
        current.withLock {
          $0.source = source; $0.entry = source
        }
        next += 1
        announce()
        return
      } catch {
        failure = error
        Self.report(error, settings)
        next += 1
      }
    }
    guard entries.count > 1 else { throw failure }
    throw IOError(
      failure.code, name, "none of its \(entries.count) entries can be played; the last: \(failure)"
    )
  }

  var isUnending: Bool { current.withLock { $0.entry?.isUnending ?? false } }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(IOError) -> Int {
    guard frameCount > 0 else { return 0 }
    while true {
      let (source, isInterrupted) = current.withLock { ($0.source, $0.isInterrupted) }
      if isInterrupted { throw IOError(.interrupted, name, "reading was stopped") }
      guard let source else { return 0 }
      do throws(IOError) {
        let count = try source.read(into: channels, frameCount: frameCount)
        position += count
        if count > 0 { return count }
      } catch {
        if error.code == .interrupted { throw error }
        note("\(error); the next entry follows")
        Self.report(error, settings)
      }
      source.warnings.forEach { note("\(source.name): \($0)") }
      openNext()
    }
  }

  func seek(toFrame frame: Int) throws(IOError) {
    guard frame >= position else { throw IOError(.unreadable, name, "a playlist cannot go back") }
    try skip(frame - position)
  }

  func interrupt() {
    monitor.giveUp()
    current.withLock { current in
      current.isInterrupted = true
      current.source?.interrupt()
    }
  }

  private func openNext() {
    current.withLock {
      $0.source = nil; $0.entry = nil
    }
    while next < entries.count, !monitor.isGivenUp {
      let target = entries[next].target
      next += 1
      do throws(IOError) {
        let entry = try Self.open(target, settings, lists, monitor)
        let source = try fitted(entry)
        current.withLock {
          $0.source = source; $0.entry = entry
        }
        announce()
        return
      } catch {
        note("\(error); skipped")
        Self.report(error, settings)
      }
    }
  }

  /// Converts an entry to the format of the first one.
  private func fitted(_ entry: any AudioSource) throws(IOError) -> any AudioSource {
    var source = entry
    if source.format.channelCount != format.channelCount {
      source = WidthSource(source, channelCount: format.channelCount)
    }
    guard source.format.sampleRate != format.sampleRate else { return source }
    return try ResampledSource(source, to: format.sampleRate)
  }

  private func announce() {
    let (target, title) = entries[next - 1]
    guard let title, !title.isEmpty else { return }
    settings.news.add(
      StreamNews.Item(
        .title, name,
        "plays '\(title)' (\(target.shown)) from "
          + "\(clockSeconds(position, format.sampleRate)) on", title: title,
        seconds: Double(position) / format.sampleRate))
  }

  private func note(_ warning: String) {
    if warnings.count < Self.warningLimit { warnings.append(warning) }
  }

  private static func open(
    _ target: PlaylistTarget, _ settings: StreamSettings, _ lists: OpenPlaylists,
    _ monitor: OpeningMonitor?
  ) throws(IOError) -> any AudioSource {
    switch target {
    case .file(let path):
      try FileSource.open(
        try openStream(path: path, monitor), at: path, within: lists, settings, monitor)
    case .address(let address):
      try FileSource.open(address, settings, monitor, within: lists)
    }
  }

  private static func report(_ error: IOError, _ settings: StreamSettings) {
    guard error.code != .interrupted else { return }
    settings.news.add(StreamNews.Item(.skipped, error.path, error.message))
  }
}
