import FxAudio
import FxChain
import FxEngine
import FxPlaying

/// Lists the parameters and the status of the playing chain.
extension PlayingChain {
  /// Exposed names first, then all nodes in the order of the chain.
  func parameters() -> [LiveParameter] {
    let nodes = compiled.resolved.graph.nodes
    var list: [LiveParameter] = []
    for (name, parameter) in compiled.built.exposed.sorted(by: { $0.key < $1.key }) {
      guard let slots = nodes[parameter.node].unit?.parameters else { continue }
      list.append(
        described(
          name, parameter.spec, values[parameter.node][parameter.slot],
          target: "\(nodes[parameter.node].id).\(slots[parameter.slot].path)"))
    }
    for (index, node) in nodes.enumerated() {
      guard let unit = node.unit else { continue }
      // A node without a dry signal has no mix parameters.
      for (slot, parameter) in unit.parameters.enumerated()
      where node.keepsDry || !unit.slots.mixesDry(slot) {
        list.append(
          described("\(node.id).\(parameter.path)", parameter.spec, values[index][slot]))
      }
    }
    return list
  }

  private func described(
    _ name: String, _ spec: ParameterSpec, _ value: Double, target: String? = nil
  ) -> LiveParameter {
    var isGeometric = false
    if case .glide = spec.smoothing { isGeometric = true }
    let isChoice = !spec.choices.isEmpty && spec.choicesAreExclusive
    let limit = spec.measure == .hertz ? compiled.sampleRate / 2 : .infinity
    return LiveParameter(
      name: name, target: target, summary: spec.summary,
      kind: spec.isToggle ? .toggle : isChoice ? .choice : spec.isInteger ? .integer : .number,
      unit: spec.measure.rawValue, minimum: spec.range.lowerBound,
      maximum: min(spec.range.upperBound, limit), defaultValue: spec.defaultValue, value: value,
      isGeometric: isGeometric,
      choices: spec.choices.map { LiveParameter.Choice($0.label, $0.value) })
  }
}

extension LiveStatus {
  init(
    of playing: PlayingChain, _ switches: SwitchControl, _ driver: LiveDriver,
    _ players: [LivePlayer]
  ) {
    let device = driver.device
    let agreement = device.playback ?? device.capture
    let capture = device.request.capture?.name
    let compiled = playing.compiled
    self.init(
      name: compiled.built.name, path: playing.chain.path, device: device.name,
      captureDevice: capture == device.name ? nil : capture, sampleRate: compiled.sampleRate,
      blockFrames: compiled.blockSize, periodFrames: agreement?.periodFrameCount ?? 0,
      bufferFrames: agreement?.bufferFrameCount ?? 0, frames: driver.frameCount,
      latencyFrames: driver.program.plan.latency, bypassed: switches.nodes(switchedOn: "bypass"),
      muted: switches.nodes(switchedOn: "mute") + switches.silencedNodes,
      soloed: switches.nodes(switchedOn: "solo"), players: players)
  }
}
