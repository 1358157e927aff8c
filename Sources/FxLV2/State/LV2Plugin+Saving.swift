package import FxAudio

/// Saving the state of a node.
extension LV2Plugin {
  /// Makes the plugin as a chain does, runs it on silence until it is at rest and writes its state.
  func save(
    _ preparation: Preparation, to folder: String, label: String, replaces: Bool
  ) throws(Failure) -> [String] {
    guard let world = states.world(of: description.uri) else {
      throw Failure(.unusablePlugin, "LV2 plugin '\(description.uri)' cannot be described")
    }
    let start = try LV2Start(description, preparation.setup, states)
    let library = try LV2Library.load(description)
    let memory = LV2Memory()
    let controls = memory.floats(description.ports.count)
    setControls(controls, preparation, start)
    let instance = try LV2Instance(
      description, library, preparation,
      channels: LV2Instance.Channels(), controls: controls,
      worksInline: true, start: start, log: log)
    let frameCount = LV2Instance.nominalLength(preparation)
    LV2Instance.guarded(instance.features.place) {
      for _ in 0..<LV2Start.quietBlocks { instance.voice.run(frameCount) }
    }
    defer { withExtendedLifetime(memory) {} }
    return try LV2StateWriter(
      instance: instance, description: description, world: world, controls: controls
    ).write(to: folder, label: label, replaces: replaces)
  }
}

extension LV2World {
  /// Saves the state that a node of a chain starts with, for `"state"` and as a preset for other
  /// hosts. Returns notes for the user, a sentence each.
  package func save(
    plugin uri: String, _ preparation: Preparation, to folder: String, label: String,
    replaces: Bool
  ) throws(Failure) -> [String] {
    guard let description = describe(uri: uri) else {
      throw Failure(.usage, "no LV2 plugin '\(uri)' is installed")
    }
    if let refusal = description.refusal { throw refusal }
    return try LV2Plugin(description: description, states: states, log: log)
      .save(preparation, to: folder, label: label, replaces: replaces)
  }
}
