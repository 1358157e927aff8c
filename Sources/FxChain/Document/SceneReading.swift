import FxAudio

/// `scenes` of a chain file.
extension ChainReader {
  mutating func scenes(_ object: JSONValue?) -> [SceneDocument] {
    var scenes: [SceneDocument] = []
    var names: Set<String> = []
    for (key, value) in object?.members ?? [] {
      // Two equal keys were reported already.
      guard let name = key.string, names.insert(name).inserted else {
        continue
      }
      if !Names.isID(name) { reportName(name, "a scene", key.place) }
      var scene = SceneDocument(name: Located(value: name, place: key.place))
      // An unreadable scene keeps its name, so that a reference to it is not reported too.
      if let fields = fields(value, ChainFormat.scene) {
        scene.parameters = values(fields["parameters"])
        scene.bypass = bypass(fields["bypass"])
        scene.ramp = raw(fields["ramp"])
      }
      scenes.append(scene)
    }
    return scenes
  }

  private mutating func bypass(_ value: JSONValue?) -> [SceneDocument.Bypass] {
    guard let value else { return [] }
    var bypass: [SceneDocument.Bypass] = []
    if value.kind == .array {
      for element in value.elements {
        guard let node = located(element) else {
          if element.kind != .string {
            report(
              .wrongType, "a node is named by a string, not \(element.kindName)", element.place)
          }
          continue
        }
        bypass.append(SceneDocument.Bypass(node: node, isOn: true))
      }
      return bypass
    }
    for (key, element) in value.members {
      guard let node = key.string, let isOn = flag(element, node) else { continue }
      bypass.append(
        SceneDocument.Bypass(node: Located(value: node, place: key.place), isOn: isOn.value))
    }
    return bypass
  }
}
