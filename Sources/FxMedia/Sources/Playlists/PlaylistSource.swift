import FxAudio
import Synchronization

/// The entries of a playlist, played one after another as one sound in the format of the first
/// entry that plays.
///
/// An entry that fails is reported and skipped. If it has played before, reading fails after the last
/// entry: the sound is not complete. Seeking back is impossible: an entry is only
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
  /// Where the current entry begins.
  private var entryStart = 0
  private var skipped: SkippedEntries
  /// Entries that failed after they had played, and the failure of the first.
  private var broken: (count: Int, first: Failure)?
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
  ) throws(Failure) {
    self.name = name
    self.settings = settings
    self.lists = lists
    var skipped = SkippedEntries(name, settings.news)
    var entries: [(PlaylistTarget, String?)] = []
    var refused: Failure?
    for entry in playlist.entries {
      if let target = place.resolved(entry) {
        entries.append((target, entry.title))
      } else {
        refused = Failure(
          .unsupportedFormat, name,
          "'\(entry.reference)' is skipped: a playlist names files beside it and http addresses, "
            + "and one from a server no files of this machine")
        if let refused { skipped.add(refused) }
      }
    }
    self.entries = entries
    var failure = refused ?? Failure(.empty, name, "a playlist without entries")
    while next < entries.count, opening?.isGivenUp != true {
      do throws(Failure) {
        let source = try Self.open(entries[next].0, settings, lists, opening)
        format = source.format
        current.withLock {
          $0.source = source; $0.entry = source
        }
        next += 1
        skipped.report()
        self.skipped = skipped
        announce()
        return
      } catch {
        failure = error
        skipped.add(error)
        next += 1
      }
    }
    skipped.report()
    guard entries.count > 1 else { throw failure }
    throw Failure(
      failure.code, name, "none of its \(entries.count) entries can be played; the last: \(failure)"
    )
  }

  var isUnending: Bool { current.withLock { $0.entry?.isUnending ?? false } }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    guard frameCount > 0 else { return 0 }
    while true {
      let (source, isInterrupted) = current.withLock { ($0.source, $0.isInterrupted) }
      if isInterrupted { throw Failure(.interrupted, name, "reading was stopped") }
      guard let source else {
        guard let broken else { return 0 }
        throw Failure(
          broken.first.code, name,
          broken.count == 1
            ? "one of its entries broke off: \(broken.first)"
            : "\(broken.count) of its entries broke off, the first: \(broken.first)")
      }
      do throws(Failure) {
        let count = try source.read(into: channels, frameCount: frameCount)
        position += count
        if count > 0 { return count }
      } catch {
        if error.code == .interrupted { throw error }
        if position > entryStart {
          broken = ((broken?.count ?? 0) + 1, broken?.first ?? error)
        }
        note("\(error); the next entry follows")
        skipped.add(error)
      }
      source.warnings.forEach { note("\(source.name): \($0)") }
      openNext()
    }
  }

  func seek(toFrame frame: Int) throws(Failure) {
    guard frame >= position else { throw Failure(.unreadable, name, "a playlist cannot go back") }
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
      do throws(Failure) {
        let entry = try Self.open(target, settings, lists, monitor)
        let source = try entry.fitted(to: format)
        current.withLock {
          $0.source = source; $0.entry = entry
        }
        entryStart = position
        skipped.report()
        announce()
        return
      } catch {
        note("\(error); skipped")
        skipped.add(error)
      }
    }
    skipped.report()
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
  ) throws(Failure) -> any AudioSource {
    switch target {
    case .file(let path):
      try FileSource.open(
        try openStream(path: path, monitor), at: path, within: lists, settings, monitor)
    case .address(let address):
      try FileSource.open(address, settings, monitor, within: lists)
    }
  }
}

/// Reports skipped entries. After ten in a row, one line reports the number of the others.
private struct SkippedEntries {
  private let list: String
  private let news: StreamNews
  private var count = 0
  private var last: Failure?
  private static let limit = 10

  init(_ list: String, _ news: StreamNews) {
    self.list = list
    self.news = news
  }

  mutating func add(_ error: Failure) {
    guard error.code != .interrupted else { return }
    count += 1
    last = error
    if count <= Self.limit { news.add(StreamNews.Item(.skipped, error.path, error.message)) }
  }

  /// Ends a row of skipped entries.
  mutating func report() {
    defer { count = 0 }
    guard count > Self.limit, let last else { return }
    news.add(
      StreamNews.Item(
        .skipped, list,
        "\(count - Self.limit) more entries cannot be played and are skipped; the last: \(last)"))
  }
}
