import CLilv
import FxAudio
import Glibc

/// A folder with a saved state, as fxrun and other hosts write it: a manifest that names the state
/// and its file, or the file alone. The path may also be a Turtle file.
struct LV2StateFolder {
  /// Absolute.
  let path: String
  let searchPath: LV2SearchPath

  /// The state for a plugin; a state of another plugin is an error.
  func state(of plugin: String) throws(Failure) -> LV2SavedState {
    guard let world = LilvWorld(searchPath) else {
      throw Failure(.unreadable, "there is no memory for the state '\(path)'")
    }
    let found = try found(in: world, plugin: plugin)
    guard let found else {
      throw Failure(.unreadable, "'\(path)' cannot be read as the state of a plugin")
    }
    if let problem = found.problem { throw unusable(problem) }
    guard found.plugin == plugin else {
      throw Failure(
        .usage,
        found.plugin.isEmpty
          ? "'\(path)' does not name its plugin"
          : "'\(path)' is the state of another plugin, '\(found.plugin)'")
    }
    return found
  }

  private func found(in world: LilvWorld, plugin: String) throws(Failure) -> LV2SavedState? {
    var status = Glibc.stat()
    guard stat(path, &status) == 0 else { throw unreadable() }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      return LV2SavedState(in: world, file: try readable(path), subject: nil)
    }
    let folder = path.hasSuffix("/") ? path : path + "/"
    if access(folder + "manifest.ttl", R_OK) == 0 {
      _ = try readable(folder + "manifest.ttl")
      world.load(bundle: folder)
      let presets = subjects(in: world)
      let own = presets.first { world.says($0, LV2URI.appliesTo, plugin) }
      if let preset = own ?? presets.first {
        if let problem = world.problem(loading: preset) { throw unusable(problem) }
        return LV2SavedState(in: world, subject: preset)
      }
    }
    return LV2SavedState(in: world, file: try readable(folder + "state.ttl"), subject: nil)
  }

  /// The subjects that the manifest declares as presets, sorted.
  private func subjects(in world: LilvWorld) -> [String] {
    guard let type = LilvNode(world.pointer, uri: LV2URI.type),
      let preset = LilvNode(world.pointer, uri: LV2URI.preset)
    else { return [] }
    return LilvNode.texts(
      lilv_world_find_nodes(world.pointer, nil, type.pointer, preset.pointer)
    ).filter { LV2Catalog.hasScheme($0) }.sorted()
  }

  private func readable(_ file: String) throws(Failure) -> String {
    guard access(file, R_OK) == 0 else { throw unreadable(file) }
    // Does not open a pipe, which could block forever.
    guard FileTree.kind(file, follows: true) == S_IFREG else {
      throw Failure(
        .unreadable,
        "the state '\(path)' cannot be read: '\(file)' is a pipe, a device or a folder, not a file")
    }
    if let problem = TurtleFile.problem(file) { throw unusable(problem) }
    return file
  }

  private func unusable(_ problem: String) -> Failure {
    Failure(.unreadable, "the state '\(path)' cannot be read: \(problem)")
  }

  private func unreadable(_ file: String? = nil) -> Failure {
    let reason = String(cString: strerror(errno))
    guard let file, file != path else {
      return Failure(.unreadable, "the state '\(path)' cannot be read: \(reason)")
    }
    return Failure(
      .unreadable,
      "'\(path)' holds no state: it has neither a manifest.ttl with a preset nor a state.ttl")
  }
}
