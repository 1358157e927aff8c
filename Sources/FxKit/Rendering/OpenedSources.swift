import FxAudio
import FxChain
import FxFrames
import FxGraph
import FxMedia
import FxPlaying
import Synchronization

/// The sources of a chain, opened and probed before its graph is built: what the graph needs to know
/// of them, and, when rendering begins, what reads them.
final class OpenedSources: Sendable {
  private enum Held: @unchecked Sendable {
    // Sendable: a source is handed over to one reader at a time.
    /// nil once it has been handed over.
    case sound((any AudioSource)?)
    /// What cannot be opened again, once it has been handed over.
    case taken(any AudioSource)
    case generator(SourceGenerator)
    case recording(channels: Int?)
  }

  /// What is known of a source.
  struct Facts: Sendable {
    let layout: ChannelLayout
    /// Frames a second; nil for what is made at any rate.
    let sampleRate: Double?
    let ending: SourceEnding
    /// Seconds; nil where it is not known, or there is no end.
    let duration: Double?
    /// Fetched while it plays.
    var isStreamed = false
    /// A station, which is whole whenever it is left.
    var isUnending = false
    /// What is wrong with the regions that it plays.
    var mistakes: [RegionMistake] = []
  }

  private let bindings: SourceBindings
  private let limits: OpeningLimits
  private let facts: [SourceEndpoint: Facts]
  private let held: Mutex<[SourceEndpoint: Held]>
  /// Of the players that were handed over, in their order.
  private let boards = Mutex<[(endpoint: SourceEndpoint, board: PlayerBoard)]>([])

  /// Opens every source that is not recorded from a device.
  ///
  /// - Throws: `ChainFailure` of kind `input` for the first that cannot be opened, in the order of the
  ///   chain.
  init(
    _ endpoints: [SourceEndpoint], _ bindings: SourceBindings,
    _ limits: OpeningLimits = OpeningLimits()
  ) throws(ChainFailure) {
    self.bindings = bindings
    self.limits = limits
    let readers = endpoints.filter { bindings.path(of: $0) == "-" }
    guard readers.count < 2 else { throw .sharedStandardInput(readers.map(\.reader)) }
    var facts: [SourceEndpoint: Facts] = [:]
    var held: [SourceEndpoint: Held] = [:]
    for endpoint in endpoints {
      switch try Self.open(endpoint, bindings, limits) {
      case .sound(let source):
        facts[endpoint] = Facts(source, endpoint)
        held[endpoint] = .sound(source)
      case .generator(let generator):
        facts[endpoint] = Facts(
          layout: generator.layout, sampleRate: generator.sampleRate,
          ending: generator.duration == nil ? .endless : .finite, duration: generator.duration,
          mistakes: generator.mistakes)
        held[endpoint] = .generator(generator)
      case .recording(let channels):
        held[endpoint] = .recording(channels: channels)
      }
    }
    self.facts = facts
    self.held = Mutex(held)
  }

  /// What a graph knows of a source at a rate that is assumed where it has none; nil where it was
  /// not opened.
  func facts(of endpoint: SourceEndpoint) -> SourceFacts? {
    facts[endpoint].map {
      SourceFacts(
        StreamFormat(sampleRate: $0.sampleRate ?? 48000, layout: $0.layout), $0.ending,
        mistakes: $0.mistakes)
    }
  }

  /// How a source ends and when.
  func extent(of endpoint: SourceEndpoint) -> Facts? { facts[endpoint] }

  /// Hands over what reads a source, at its own rate or, where it has none, the chain's; nil for what
  /// a device records. Where several nodes read the same file each gets a reader of its own, which
  /// standard input cannot have.
  func take(
    _ endpoint: SourceEndpoint, _ conversion: RateConversion
  ) throws(ChainFailure) -> (any AudioSource)? {
    let first = held.withLock { held -> Held? in
      let first = held[endpoint]
      if case .sound? = first { held[endpoint] = .sound(nil) }
      return first
    }
    switch first {
    case .recording?, nil: return nil
    case .sound(let source?)?:
      if isOpenedOnce(endpoint) { hold(.taken(source), endpoint) }
      return source
    case .generator(let generator)?:
      do throws(IOError) {
        let source = try generator.make(conversion)
        if endpoint.nature == .schedule, let board = source.regions {
          boards.withLock { $0.append((endpoint, board)) }
        }
        return source
      } catch {
        throw ChainFailure(error, .input)
      }
    case .sound(nil)?, .taken?:
      guard !isOpenedOnce(endpoint) else {
        let path = bindings.path(of: endpoint) ?? "-"
        let name = HTTPAddress(path)?.shown ?? "standard input"
        throw ChainFailure(
          .chain, code: "several-readers",
          "several sources of the chain read \(name), which can be read once; "
            + "connect one source to both places")
      }
      guard case .sound(let source) = try Self.open(endpoint, bindings, limits) else { return nil }
      return source
    }
  }

  /// What has been handed over of a player last, for each node that plays it.
  func boards(of endpoint: SourceEndpoint) -> [PlayerBoard] {
    boards.withLock { boards in boards.filter { $0.endpoint == endpoint }.map(\.board) }
  }

  /// True for standard input, and for what is fetched for two passes.
  private func isOpenedOnce(_ endpoint: SourceEndpoint) -> Bool {
    guard let path = bindings.path(of: endpoint) else { return false }
    return path == "-" || bindings.areReadTwice && HTTPAddress(path) != nil
  }

  /// How streams are fetched, and who hears of them.
  var streams: StreamSettings { bindings.streams }

  /// Makes what was opened for two passes ready to be read again from its start, once nobody reads it
  /// any more.
  func rewind() throws(ChainFailure) {
    for endpoint in facts.keys where isOpenedOnce(endpoint) {
      guard case .taken(let source)? = held.withLock({ $0[endpoint] }) else { continue }
      do throws(IOError) {
        try source.seek(toFrame: 0)
      } catch {
        throw ChainFailure(error, .input)
      }
      hold(.sound(source), endpoint)
    }
  }

  private func hold(_ state: Held, _ endpoint: SourceEndpoint) {
    held.withLock { $0[endpoint] = state }
  }

  private static func open(
    _ endpoint: SourceEndpoint, _ bindings: SourceBindings, _ limits: OpeningLimits
  ) throws(ChainFailure) -> OpenedSource {
    do throws(IOError) {
      return try SourceKind.open(endpoint, bindings, limits)
    } catch {
      throw ChainFailure(error, .input)
    }
  }

  /// The files that sources read.
  func paths(of endpoints: [SourceEndpoint]) -> [String] {
    endpoints.flatMap(bindings.paths)
  }
}

extension OpenedSources.Facts {
  init(_ source: any AudioSource, _ endpoint: SourceEndpoint) {
    let isFinite =
      source.isSeekable && source.frameCount != nil && endpoint.nature != .stream
    self.init(
      layout: source.format.layout, sampleRate: source.format.sampleRate,
      ending: isFinite ? .finite : .stream,
      duration: source.frameCount.map { Double($0) / source.format.sampleRate },
      isStreamed: source.isStreamed, isUnending: source.isUnending)
  }
}

extension SourceEndpoint {
  /// Who reads standard input, in words.
  fileprivate var reader: String {
    inputName.map { "the input '\($0)'" } ?? "the chain's own source"
  }
}
