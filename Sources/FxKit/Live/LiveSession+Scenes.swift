import FxChain

/// Scenes of the chain while it plays.
extension LiveSession {
  func enter(scene name: String) throws(ChainFailure) {
    let index: Int
    do throws(ValueProblem) {
      index = try live.built.scene(name)
    } catch {
      throw ChainFailure(error, about: name)
    }
    try enter(live.built.scenes[index])
  }

  /// Moves all values of a scene within one block, over its ramp.
  func enter(_ scene: Scene) throws(ChainFailure) {
    for change in scene.changes {
      try move(change.parameter, to: change.value, over: scene.ramp)
    }
  }
}
