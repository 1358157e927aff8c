import FxAudio

/// The files named in a chain, each read once: texts, and start states of plugins.
final class NamedFiles {
  private struct StateKey: Hashable {
    let state: PluginSetup.State
    let plugin: String
  }

  private let reader: (String) throws(Failure) -> [UInt8]
  private let limits: OpeningLimits
  private var contents: [String: Result<[UInt8], Failure>] = [:]
  private var states: [StateKey: Result<PluginState, Failure>] = [:]
  private var presets: [String: [PluginPreset]] = [:]
  private var obstacles: [String: String?] = [:]

  init(_ environment: ChainEnvironment) {
    reader = environment.read
    limits = environment.limits
  }

  func read(_ path: String) throws(Failure) -> [UInt8] {
    if let content = contents[path] { return try content.get() }
    let content: Result<[UInt8], Failure>
    do throws(Failure) {
      content = .success(try reader(path))
    } catch {
      content = .failure(error)
    }
    contents[path] = content
    return try content.get()
  }

  /// The values of a plugin in a preset or a saved state.
  func state(
    _ state: PluginSetup.State, ofPlugin uri: String, in catalog: any UnitCatalog
  ) throws(Failure) -> PluginState {
    let key = StateKey(state: state, plugin: uri)
    if let found = states[key] { return try found.get() }
    let found: Result<PluginState, Failure>
    do throws(Failure) {
      if case .folder(let path) = state,
        let obstacle = ChainFile.stateObstacle(path, limits)
      {
        throw Failure(.unreadable, "the state '\(path)' cannot be read: \(obstacle)")
      }
      found = .success(try catalog.state(state, ofPlugin: uri))
    } catch {
      found = .failure(error)
    }
    states[key] = found
    return try found.get()
  }

  func presets(ofPlugin uri: String, in catalog: any UnitCatalog) -> [PluginPreset] {
    if let found = presets[uri] { return found }
    let found = catalog.presets(ofPlugin: uri)
    presets[uri] = found
    return found
  }

  /// Why a property's file cannot be read; nil if it can.
  func obstacle(_ path: String) -> String? {
    if let found = obstacles[path] { return found }
    let found = ChainFile.obstacle(path, limits)
    obstacles[path] = .some(found)
    return found
  }
}
