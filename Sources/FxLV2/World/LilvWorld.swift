import CLilv

/// An owned lilv world, and queries to its model.
final class LilvWorld {
  let pointer: OpaquePointer

  /// An empty world for the bundles of a search path; nil when memory has run out.
  init?(_ searchPath: LV2SearchPath) {
    guard let world = lilv_world_new() else { return nil }
    pointer = world
    // A dynamic manifest is code that runs while plugins are listed; that of one package aborts the
    // host.
    if let no = LilvNode(lilv_new_bool(world, false)) {
      lilv_world_set_option(world, LILV_OPTION_DYN_MANIFEST, no.pointer)
    }
    if let path = LilvNode(lilv_new_string(world, searchPath.text)) {
      lilv_world_set_option(world, LILV_OPTION_LV2_PATH, path.pointer)
    }
  }

  deinit { lilv_world_free(pointer) }

  /// Reads a bundle's manifest. The folder ends with a slash.
  func load(bundle: String) {
    guard let node = LilvNode(lilv_new_file_uri(pointer, nil, bundle)) else { return }
    lilv_world_load_bundle(pointer, node.pointer)
  }

  /// Reads the files that the manifest names for a subject.
  func load(resource uri: String) {
    guard let node = LilvNode(pointer, uri: uri) else { return }
    lilv_world_load_resource(pointer, node.pointer)
  }

  /// Reads the files that describe a subject. If one is unreadable, returns its problem and reads
  /// none.
  func problem(loading uri: String) -> String? {
    for file in files(of: uri) {
      if let problem = TurtleFile.problem(file) { return problem }
    }
    load(resource: uri)
    return nil
  }

  /// The files that describe a subject, by the manifest's `rdfs:seeAlso`.
  private func files(of uri: String) -> [String] {
    guard let subject = LilvNode(pointer, uri: uri),
      let predicate = LilvNode(pointer, uri: LV2URI.seeAlso)
    else { return [] }
    return LilvNode.texts(
      lilv_world_find_nodes(pointer, subject.pointer, predicate.pointer, nil)
    ).compactMap { LilvNode.path(ofFile: $0) }.sorted()
  }

  /// The URIs of all plugins, sorted.
  var pluginURIs: [String] {
    guard let plugins = lilv_world_get_all_plugins(pointer) else { return [] }
    var uris: [String] = []
    var iterator = lilv_plugins_begin(plugins)
    while !lilv_plugins_is_end(plugins, iterator) {
      if let plugin = lilv_plugins_get(plugins, iterator) {
        uris.append(LilvNode.text(of: lilv_plugin_get_uri(plugin)))
      }
      iterator = lilv_plugins_next(plugins, iterator)
    }
    return uris.sorted()
  }

  /// The URIs of the subjects with this object for a predicate.
  func subjects(_ predicate: String, _ object: String) -> [String] {
    guard let predicate = LilvNode(pointer, uri: predicate),
      let object = LilvNode(pointer, uri: object)
    else { return [] }
    return uris(lilv_world_find_nodes(pointer, nil, predicate.pointer, object.pointer))
  }

  /// The URIs of a subject's objects for a predicate.
  func objects(of subject: String, _ predicate: String) -> [String] {
    guard let subject = LilvNode(pointer, uri: subject),
      let predicate = LilvNode(pointer, uri: predicate)
    else { return [] }
    return uris(lilv_world_find_nodes(pointer, subject.pointer, predicate.pointer, nil))
  }

  /// One object of a subject for a predicate; of several, the one in the user's language.
  func value(of subject: String, _ predicate: String) -> LilvNode? {
    guard let subject = LilvNode(pointer, uri: subject),
      let predicate = LilvNode(pointer, uri: predicate)
    else { return nil }
    return LilvNode(lilv_world_get(pointer, subject.pointer, predicate.pointer, nil))
  }

  /// True when a subject has this object for a predicate, or any object.
  func says(_ subject: String, _ predicate: String, _ object: String? = nil) -> Bool {
    guard let subject = LilvNode(pointer, uri: subject),
      let predicate = LilvNode(pointer, uri: predicate)
    else { return false }
    guard let object else {
      return lilv_world_ask(pointer, subject.pointer, predicate.pointer, nil)
    }
    guard let object = LilvNode(pointer, uri: object) else { return false }
    return lilv_world_ask(pointer, subject.pointer, predicate.pointer, object.pointer)
  }

  private func uris(_ nodes: UnsafeMutableRawPointer?) -> [String] {
    guard let nodes else { return [] }
    defer { lilv_nodes_free(nodes) }
    var uris: [String] = []
    var iterator = lilv_nodes_begin(nodes)
    while !lilv_nodes_is_end(nodes, iterator) {
      let node = lilv_nodes_get(nodes, iterator)
      if lilv_node_is_uri(node) { uris.append(LilvNode.text(of: node)) }
      iterator = lilv_nodes_next(nodes, iterator)
    }
    return uris
  }
}
