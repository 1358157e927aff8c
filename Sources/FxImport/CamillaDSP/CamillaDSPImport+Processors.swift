import FxNodes

extension CamillaDSPImport {
  /// Adds a processor: dynamics for some channels.
  func addProcessor(_ step: SourceValue, to path: inout SignalPath) {
    guard let name = step["name"]?.text else { return }
    guard let definition = root["processors"]?[name] else {
      step["name"]?.turn(.notPossible("there is no processor of this name"))
      return
    }
    let parameters = definition["parameters"] ?? definition
    parameters["channels"]?.settle()
    let node: Node? =
      switch definition["type"]?.text {
      case "Compressor": compressor(name, parameters)
      case "NoiseGate": gate(name, parameters)
      case "RACE": refuse(parameters, "fxrun has no unit for crosstalk cancellation by recursion")
      default: refuse(parameters, "CamillaDSP has no processor of this type")
      }
    guard let node else { return }
    let processed = channels("process_channels", parameters, path.width)
    let monitored = channels("monitor_channels", parameters, path.width)
    if monitored != processed {
      parameters["monitor_channels"]?.turn(
        .approximated("the channels that are changed are the ones that are measured"))
    } else {
      parameters["monitor_channels"]?.settle(
        .approximated("fxrun takes the loudest channel, CamillaDSP the sum of the channels"))
    }
    let named = node.comment(comment("processor", name, definition, step))
      .bypassed(isBypassed(step))
    guard accept(named, definition, processed.count) else { return }
    path.append(named, on: processed)
  }

  private func refuse(_ parameters: SourceValue, _ reason: String) -> Node? {
    parameters.turn(.notPossible(reason))
    return nil
  }

  /// Channels of a list that the signal has; all where there is no list.
  private func channels(_ key: String, _ parameters: SourceValue, _ width: Int) -> [Int] {
    let given = parameters[key]?.elements.compactMap(\.integer) ?? []
    let known = given.filter { (0..<width).contains($0) }
    if known.count < given.count {
      parameters[key]?.turn(.notPossible("the signal has \(width) channels here"))
    }
    return known.isEmpty ? Array(0..<width) : known
  }

  /// A time constant, by default in seconds: the time to cover 63 %.
  private func time(_ key: String, _ parameters: SourceValue, _ difference: String) -> Time? {
    let time = parameters[key]?.number.flatMap {
      milliseconds($0, parameters["\(key)_unit"], otherwise: "s")
    }
    parameters[key]?.turn(.approximated(difference))
    return time.map { .milliseconds(rounded($0)) }
  }

  private func compressor(_ name: String, _ parameters: SourceValue) -> Node {
    let limit = parameters["clip_limit"]?.number
    if limit != nil || parameters["soft_clip"]?.flag == true {
      for key in ["clip_limit", "soft_clip"] {
        parameters[key]?.turn(
          .notPossible("fxrun's compressor does not clip: put a clipper after it"))
      }
    }
    let difference =
      "the same time, but of the reduction; CamillaDSP smooths the level in decibels before its curve"
    return Compressor(
      id: importing.id(name), threshold: parameters["threshold"]?.number.map { .decibels($0) },
      ratio: parameters["factor"]?.number, knee: 0, attack: time("attack", parameters, difference),
      release: time("release", parameters, difference),
      makeup: parameters["makeup_gain"]?.number.map { .decibels($0) }
    ).node
  }

  private func gate(_ name: String, _ parameters: SourceValue) -> Node {
    let difference =
      "the gate opens and closes in this time; CamillaDSP smooths the level and switches at once"
    return Gate(
      id: importing.id(name), threshold: parameters["threshold"]?.number.map { .decibels($0) },
      hysteresis: 0, range: parameters["attenuation"]?.number.map { .decibels($0) },
      attack: time("attack", parameters, difference), hold: 0,
      release: time("release", parameters, difference)
    ).node
  }
}
