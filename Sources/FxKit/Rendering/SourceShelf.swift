import FxAudio
import FxGraph
import FxIO
import Synchronization

/// The sources of a chain, opened when the chain asks for their format.
final class SourceShelf: Sendable {
  private struct State: ~Copyable {
    var opened: [SourceEndpoint: any AudioSource] = [:]
    var failure: ChainFailure?
  }

  private let inputs: [String: String]
  private let state = Mutex(State())

  init(inputs: [String: String]) {
    self.inputs = inputs
  }

  /// The format of a source; nil when it cannot be opened, which `failure` tells.
  func format(of endpoint: SourceEndpoint) -> StreamFormat? {
    state.withLock { state in
      if let source = state.opened[endpoint] { return source.format }
      guard state.failure == nil else { return nil }
      do throws(ChainFailure) {
        guard let source = try open(endpoint) else { return nil }
        state.opened[endpoint] = source
        return source.format
      } catch {
        state.failure = error
        return nil
      }
    }
  }

  /// Why a source could not be opened.
  var failure: ChainFailure? { state.withLock { $0.failure } }

  /// Hands a source over.
  func take(_ endpoint: SourceEndpoint) -> sending (any AudioSource)? {
    state.withLock { state in
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

  private func open(_ endpoint: SourceEndpoint) throws(ChainFailure) -> (any AudioSource)? {
    if case .null(let channels) = endpoint {
      return NullSource(format: StreamFormat(sampleRate: 48000, channelCount: channels))
    }
    guard let path = path(endpoint) else { return nil }
    do throws(IOError) {
      return path == "-" ? try FileSource.openStandardInput() : try FileSource.open(path)
    } catch {
      throw ChainFailure(error, .input)
    }
  }
}
