import FxAudio
import FxChain
import FxEngine
import FxMedia
import FxPlaying
import Synchronization

/// The sources of a chain, opened before its graph is built. They give the graph its facts, and
/// later the readers for the render.
final class OpenedSources: Sendable {
  private enum Held: @unchecked Sendable {
    // Sendable: a source is handed over to one reader at a time.
    /// nil after it was handed over.
    case sound((any AudioSource)?)
    /// A source that cannot be opened again, after it was handed over.
    case taken(any AudioSource)
    case generator(SourceGenerator)
    case recording(channels: Int?)
  }

  /// The facts of a source.
  struct Facts: Sendable {
    let layout: ChannelLayout
    /// The sample rate in Hz; nil for a source that can be made at any rate.
    let sampleRate: Double?
    let ending: SourceEnding
    /// Seconds; nil if it is unknown, or if there is no end.
    let duration: Double?
    /// True if the source is fetched while it plays.
    var isStreamed = false
    /// True for a station: a render that is stopped is complete.
    var isUnending = false
    /// The mistakes of its regions.
    var mistakes: [RegionMistake] = []
  }

  private let bindings: SourceBindings
  private let limits: OpeningLimits
  private let facts: [SourceEndpoint: Facts]
  private let held: Mutex<[SourceEndpoint: Held]>
  /// The boards of the players that were handed over, in this order.
  private let boards = Mutex<[(endpoint: SourceEndpoint, board: PlayerBoard)]>([])

  /// Opens every source except those recorded from a device.
  ///
  /// - Throws: `ChainFailure` of kind `input` for the first source that cannot be opened.
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

  /// The facts of a source for the graph, at 48 kHz if it has no rate; nil if it was not opened.
  func facts(of endpoint: SourceEndpoint) -> SourceFacts? {
    facts[endpoint].map {
      SourceFacts(
        StreamFormat(sampleRate: $0.sampleRate ?? 48000, layout: $0.layout), $0.ending,
        mistakes: $0.mistakes)
    }
  }

  /// All facts of a source, its length included.
  func extent(of endpoint: SourceEndpoint) -> Facts? { facts[endpoint] }

  /// Hands over the reader of a source, at its own rate, or at the chain's if it has none; nil for
  /// a device. If several nodes read one file, each gets its own reader, which standard input
  /// cannot have.
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
      do throws(Failure) {
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
          .chain, code: .severalReaders,
          "several sources of the chain read \(name), which can be read once; "
            + "connect one source to both places")
      }
      guard case .sound(let source) = try Self.open(endpoint, bindings, limits) else { return nil }
      return source
    }
  }

  /// The boards handed over for a player so far, one for each reader, in order.
  func boards(of endpoint: SourceEndpoint) -> [PlayerBoard] {
    boards.withLock { boards in boards.filter { $0.endpoint == endpoint }.map(\.board) }
  }

  /// True for standard input, and for an HTTP source that is read in two passes.
  private func isOpenedOnce(_ endpoint: SourceEndpoint) -> Bool {
    guard let path = bindings.path(of: endpoint) else { return false }
    return path == "-" || bindings.areReadTwice && HTTPAddress(path) != nil
  }

  /// The settings for fetching streams and reporting their news.
  var streams: StreamSettings { bindings.streams }

  /// Rewinds the sources that are opened once but read twice. Nobody may be reading them.
  func rewind() throws(ChainFailure) {
    for endpoint in facts.keys where isOpenedOnce(endpoint) {
      guard case .taken(let source)? = held.withLock({ $0[endpoint] }) else { continue }
      do throws(Failure) {
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
    do throws(Failure) {
      return try SourceKind.open(endpoint, bindings, limits)
    } catch {
      throw ChainFailure(error, .input)
    }
  }

  /// The format of a source without a header; nil if its content decides.
  func raw(of endpoint: SourceEndpoint) -> RawFormat? { bindings.raw(of: endpoint) }

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
  /// The reader of standard input, in words.
  fileprivate var reader: String {
    inputName.map { "the input '\($0)'" } ?? "the chain's own source"
  }
}
