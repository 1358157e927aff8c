import CLilv
import CRealtime
import FxAudio
import Glibc
import Synchronization

/// The other side of a trial: the process that reads bundles in the same way as fxrun later.
enum BundleTrialHost {
  static func main(_ task: ReceivedTask) -> Never {
    let paths = task.request.withUnsafeBytes { bytes in
      var reader = ByteDecoder(bytes)
      return reader.list { $0.text() }
    }
    let memory = task.memory(minimumSize: BundleExchange.size(count: paths.count))
    let exchange = BundleExchange(at: memory.base)
    for (index, path) in paths.enumerated() {
      ChildRole.Limits(processor: task.role.limits.processor).apply()
      exchange.begun.pointee.store(index + 1, ordering: .releasing)
      exchange.finish(index, problem: problem(of: path))
    }
    _exit(0)
  }

  /// Reads everything that fxrun ever reads of a bundle; nil when there is no problem.
  private static func problem(of path: String) -> String? {
    let searchPath = LV2SearchPath(path)
    guard path.hasSuffix("/") else {
      _ = try? LV2StateFolder(path: path, searchPath: searchPath).state(of: "urn:fxrun:none")
      return nil
    }
    guard let world = LilvWorld(searchPath) else { return nil }
    world.load(bundle: path)
    var problem: String?
    for uri in world.pluginURIs {
      guard let node = LilvNode(world.pointer, uri: uri),
        let plugin = lilv_plugins_get_by_uri(
          lilv_world_get_all_plugins(world.pointer), node.pointer)
      else { continue }
      let found = LV2PortIndices.problem(world.pointer, plugin)
      problem = problem ?? found.map { "its description of LV2 plugin '\(uri)' \($0)" }
      _ = LV2Reader(world: world.pointer, plugin: plugin).description().unitSpec
      _ = LV2PropertyReader(world: world, plugin: uri)
      if world.says(uri, LV2URI.state) { read(uri, world) }
    }
    for preset in world.subjects(LV2URI.type, LV2URI.preset) where LV2Catalog.hasScheme(preset) {
      world.load(resource: preset)
      if let bank = world.value(of: preset, LV2URI.presetBank)?.text, LV2Catalog.hasScheme(bank) {
        _ = world.value(of: bank, LV2URI.label)?.text
      }
      read(preset, world)
    }
    if FileTree.exists(path + "state.ttl") {
      _ = try? LV2StateFolder(path: path, searchPath: searchPath).state(of: "urn:fxrun:none")
    }
    return problem
  }

  private static func read(_ subject: String, _ world: LilvWorld) {
    _ = LV2SavedState(in: world, subject: subject)?.ports
  }
}
