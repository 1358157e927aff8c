import FxAudio
import FxChain
import FxGraph
import FxIO
import Synchronization

/// The sources of a chain, opened when the chain asks for their format.
final class SourceShelf: Sendable {
  private struct State: ~Copyable {
    var opened: [SourceEndpoint: any AudioSource] = [:]
    /// What was handed over already.
    var taken: Set<SourceEndpoint> = []
    var failure: ChainFailure?
    /// What is known of the sources that were opened.
    var extents: [SourceEndpoint: Extent] = [:]
  }

  /// How long a source is.
  struct Extent {
    /// True for a file, which has an end that is known.
    let isFinite: Bool
    /// Seconds; nil where it is not known.
    let duration: Double?

    init(_ source: any AudioSource) {
      isFinite = source.isSeekable && source.frameCount != nil
      duration = source.frameCount.map { Double($0) / source.format.sampleRate }
    }
  }

  private let inputs: [String: String]
  private let memory: MemoryEndpoints?
  private let state = Mutex(State())

  init(inputs: [String: String], memory: MemoryEndpoints? = nil) {
    self.inputs = inputs
    self.memory = memory
  }

  /// The format of a source; nil when it cannot be opened, which `failure` tells.
  func format(of endpoint: SourceEndpoint) -> StreamFormat? {
    state.withLock { state in
      if let source = state.opened[endpoint] { return source.format }
      guard state.failure == nil else { return nil }
      do throws(ChainFailure) {
        if path(endpoint) == "-", let other = state.opened.keys.first(where: { path($0) == "-" }) {
          throw .sharedStandardInput([other, endpoint].map(words))
        }
        guard let source = try open(endpoint) else { return nil }
        state.opened[endpoint] = source
        state.extents[endpoint] = Extent(source)
        return source.format
      } catch {
        state.failure = error
        return nil
      }
    }
  }

  /// How long a source is, once its format was asked for.
  func extent(of endpoint: SourceEndpoint) -> Extent? {
    state.withLock { $0.extents[endpoint] }
  }

  /// How a source ends.
  func kind(of endpoint: SourceEndpoint) -> SourceKind {
    if case .alsa = endpoint { return .device }
    guard let extent = extent(of: endpoint) else { return .assumed }
    return extent.isFinite && endpoint != .standardInput ? .finite : .stream
  }

  /// Why a source could not be opened.
  var failure: ChainFailure? { state.withLock { $0.failure } }

  /// Hands a source over; nil for what is not read. Where several nodes read the same file each
  /// gets a reader of its own, which standard input cannot have.
  func take(_ endpoint: SourceEndpoint) throws(ChainFailure) -> sending (any AudioSource)? {
    let isFirst = state.withLock { $0.taken.insert(endpoint).inserted }
    guard isFirst else {
      guard path(endpoint) != "-" else {
        throw ChainFailure(
          .chain, code: "several-readers",
          "several sources of the chain read standard input, which can be read once; "
            + "connect one source to both places")
      }
      return try open(endpoint)
    }
    return state.withLock { state in
      nonisolated(unsafe) let source = state.opened.removeValue(forKey: endpoint)
      return source
    }
  }

  /// The files that are read.
  func paths(of endpoints: [SourceEndpoint]) -> [String] { endpoints.compactMap(path) }

  private func path(_ endpoint: SourceEndpoint) -> String? {
    switch endpoint {
    case .input(let name): inputs[name]
    case .file(let path): path
    case .standardInput: "-"
    case .alsa, .null: nil
    }
  }

  private func words(_ endpoint: SourceEndpoint) -> String {
    if case .input(let name) = endpoint { "the input '\(name)'" } else { "the chain's own source" }
  }

  private func open(_ endpoint: SourceEndpoint) throws(ChainFailure) -> (any AudioSource)? {
    if case .null(let channels) = endpoint {
      return NullSource(format: StreamFormat(sampleRate: 48000, channelCount: channels))
    }
    if case .input(let name) = endpoint, inputs[name] == nil, let memory {
      return memory.source(name)
    }
    if let device = memory?.device {
      switch endpoint {
      case .alsa(_, let channels): return device(channels)
      case .standardInput: return device(nil)
      case .input, .file, .null: break
      }
    }
    guard let path = path(endpoint) else { return nil }
    if path.isEmpty, case .input(let name) = endpoint {
      throw ChainFailure(
        .input, code: IOError.Code.notFound.rawValue,
        "the name of the file for the input '\(name)' is empty", path: path)
    }
    do throws(IOError) {
      return path == "-" ? try FileSource.openStandardInput() : try FileSource.open(path)
    } catch {
      throw ChainFailure(error, .input)
    }
  }
}
