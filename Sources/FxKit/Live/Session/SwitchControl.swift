import FxAudio
import FxChain
import FxEngine

/// Bypass, mute and solo of nodes and strips.
final class SwitchControl {
  private let playing: PlayingChain
  /// The level before muting, by the parameter's name.
  private var mutedLevels: [String: Double] = [:]

  init(_ playing: PlayingChain) { self.playing = playing }

  func bypass(_ node: String, _ isOn: Bool?) throws(ChainFailure) -> Bool {
    try turn(playing.parameter("\(node).bypass"), isOn)
  }

  /// Mutes a strip with its own switch, and a node with its `gain`.
  func mute(_ name: String, _ isOn: Bool?) throws(ChainFailure) -> Bool {
    if let mute = try? playing.parameter("\(name).mute"), mute.spec.isToggle {
      return try turn(mute, isOn)
    }
    guard let gain = try? playing.parameter("\(name).gain"), gain.spec.fallsSilent else {
      guard !name.contains("."), playing.compiled.built.node(id: name) != nil else {
        // Throws an error that lists the possible names.
        _ = try playing.parameter(name.contains(".") ? "\(name).mute" : "\(name).gain")
        throw .nothingToSwitch(name, "mute")
      }
      throw .nothingToSwitch(name, "mute")
    }
    let level = playing.value(of: gain)
    let key = "\(name).gain"
    let isMuted = isMutedByLevel(key, level)
    let wanted = isOn ?? !isMuted
    guard wanted != isMuted else { return wanted }
    if wanted {
      try playing.move(gain, to: -.infinity)
      mutedLevels[key] = level
    } else {
      try playing.move(gain, to: mutedLevels[key] ?? level)
      mutedLevels[key] = nil
    }
    return wanted
  }

  /// A node whose level was changed since is no longer muted.
  private func isMutedByLevel(_ name: String, _ level: Double) -> Bool {
    mutedLevels[name] != nil && level == -.infinity
  }

  func solo(_ name: String, _ isOn: Bool?) throws(ChainFailure) -> Bool {
    let solo: BuiltChain.Parameter
    do throws(ChainFailure) {
      solo = try playing.parameter("\(name).solo")
    } catch {
      guard !name.contains("."), playing.compiled.built.node(id: name) != nil else { throw error }
      throw .nothingToSwitch(name, "solo")
    }
    guard solo.spec.isToggle else { throw .nothingToSwitch(name, "solo") }
    return try turn(solo, isOn)
  }

  private func turn(
    _ parameter: BuiltChain.Parameter, _ isOn: Bool?
  ) throws(ChainFailure) -> Bool {
    let wanted = isOn ?? (playing.value(of: parameter) == 0)
    try playing.move(parameter, to: wanted ? 1 : 0)
    return wanted
  }

  /// The names of nodes and strips whose switch `id` is on.
  func nodes(switchedOn id: String) -> [String] {
    var names: [String] = []
    for (node, content) in playing.compiled.resolved.graph.nodes.enumerated() {
      guard let unit = content.unit else { continue }
      for (slot, parameter) in unit.parameters.enumerated() where parameter.spec.isToggle {
        guard playing.values[node].indices.contains(slot), playing.values[node][slot] != 0 else {
          continue
        }
        if parameter.path == id {
          names.append(content.id)
        } else if parameter.path.hasSuffix(".\(id)"), parameter.path != "parameters.\(id)" {
          names.append("\(content.id).\(parameter.path.dropLast(id.count + 1))")
        }
      }
    }
    return names
  }

  /// Nodes that are muted by their level.
  var silencedNodes: [String] {
    mutedLevels.keys.sorted().compactMap { key in
      guard let gain = try? playing.parameter(key), isMutedByLevel(key, playing.value(of: gain))
      else { return nil }
      return String(key.dropLast(".gain".count))
    }
  }
}

extension ParameterSpec {
  /// True for a level whose minimum is silence.
  fileprivate var fallsSilent: Bool {
    delivery == .amplitude && range.lowerBound == -.infinity
  }
}

extension ChainFailure {
  fileprivate static func nothingToSwitch(_ name: String, _ verb: String) -> ChainFailure {
    let hint =
      verb == "mute"
      ? "strips of a mixer can be muted (mix.strips.NAME), and nodes whose gain goes down to -inf dB"
      : "strips of a mixer can be soloed (mix.strips.NAME)"
    return ChainFailure(
      .request, code: .nothingToSwitch, "'\(name)' has nothing to \(verb): \(hint)",
      hints: [hint])
  }
}
