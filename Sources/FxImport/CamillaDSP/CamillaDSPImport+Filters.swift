import FxNodes

extension CamillaDSPImport {
  /// Adds the filters of a step, one node each.
  func addFilters(_ step: SourceValue, to path: inout SignalPath) {
    let given = step.first("channels", "channel")?.elements.compactMap(\.integer)
    let channels = given ?? Array(0..<path.width)
    guard !channels.isEmpty, channels.allSatisfy({ (0..<path.width).contains($0) }) else {
      step.turn(.notPossible("the signal has \(path.width) channels here"))
      return
    }
    let isOff = isBypassed(step)
    for nameValue in step.first("names", "name")?.elements ?? [] {
      guard let name = nameValue.text else { continue }
      guard let definition = root["filters"]?[name] else {
        nameValue.turn(.notPossible("there is no filter of this name"))
        continue
      }
      add(name, definition, step, channels, isOff, to: &path)
    }
  }

  private func add(
    _ name: String, _ definition: SourceValue, _ step: SourceValue, _ channels: [Int],
    _ isOff: Bool, to path: inout SignalPath
  ) {
    let comment = comment("filter", name, definition, step)
    let parameters = definition["parameters"] ?? definition
    guard let type = definition["type"]?.text else { return }
    if let bands = CamillaDSPBiquads(importing.sampleRate).bands(type, parameters) {
      guard !bands.isEmpty else { return }
      add(bands, name, comment, definition, channels, isOff, to: &path)
      return
    }
    guard let node = node(type, name, parameters) else { return }
    let named = node.comment(comment).bypassed(isOff)
    guard accept(named, definition, channels.count) else { return }
    path.append(named, on: channels)
  }

  /// Adds bands of an equalizer: for some channels the whole signal takes them as well.
  private func add(
    _ bands: [Equalizer.Band], _ name: String, _ comment: String, _ definition: SourceValue,
    _ channels: [Int], _ isOff: Bool, to path: inout SignalPath
  ) {
    let id = importing.id(name)
    let node = Equalizer(id: id, bypass: isOff ? true : nil, bands: bands).comment(comment)
    guard accept(node, definition, channels.count) else { return }
    let numbers = channels.sorted().map { String($0 + 1) }.joined(separator: " ")
    let own = bands.map { band in
      var band = band
      band.fields.set("channels", numbers)
      return band
    }
    path.append(
      node, on: channels,
      inline: Equalizer(id: id, bypass: isOff ? true : nil, bands: own).comment(comment))
  }

  /// The node of a filter that is no biquad; nil for one that is not possible.
  private func node(_ type: String, _ name: String, _ parameters: SourceValue) -> Node? {
    switch type {
    case "Gain": gain(name, parameters)
    case "Volume": volume(name, parameters)
    case "Delay": delay(name, parameters)
    case "Conv": convolver(name, parameters)
    case "Limiter", "Clipper": clipper(name, parameters)
    case "LookaheadLimiter": limiter(name, parameters)
    case "Dither":
      refuse(
        parameters,
        .approximated("fxrun adds dither where it writes 16 bits: \"dither\" of the sink"))
    case "Loudness":
      refuse(
        parameters,
        .notPossible("fxrun has no volume control outside of the chain for it to follow"))
    case "Biquad", "DiffEq": coefficients(type, name, parameters)
    default: refuse(parameters, .notPossible("CamillaDSP has no filter of this type"))
    }
  }

  /// The outcome of a filter without a node.
  private func refuse(_ parameters: SourceValue, _ outcome: ImportOutcome) -> Node? {
    parameters.turn(outcome)
    return nil
  }

  private func gain(_ name: String, _ parameters: SourceValue) -> Node {
    let gain = CamillaDSPGain(parameters)
    return Gain(
      id: importing.id(name), gain: gain.isMuted ? .silence : gain.level ?? 0,
      invert: gain.isInverted ? true : nil
    ).node
  }

  private func volume(_ name: String, _ parameters: SourceValue) -> Node {
    let id = importing.id(name)
    parameters.turn(
      .approximated("a gain of 0 dB, which 'fxrun control NAME set \(id).gain' changes"))
    return Gain(id: id, gain: 0).node
  }

  private func delay(_ name: String, _ parameters: SourceValue) -> Node? {
    guard let delay = parameters["delay"]?.number else { return nil }
    if parameters["subsample"]?.flag == true {
      parameters["subsample"]?.turn(
        .approximated("the delay is a whole number of frames: up to half a frame off"))
    }
    guard let time = milliseconds(delay, parameters["unit"], otherwise: "ms") else { return nil }
    return Align(id: importing.id(name), time: .milliseconds(time)).node
  }

  /// A time of CamillaDSP in milliseconds; nil for an unknown unit.
  func milliseconds(_ time: Double, _ unit: SourceValue?, otherwise: String) -> Double? {
    switch unit?.text ?? otherwise {
    case "s": return rounded(time * 1000)
    case "ms": return time
    case "us": return rounded(time / 1000)
    // The speed of sound of CamillaDSP: 343 m/s.
    case "mm": return rounded(time / 343)
    case "samples": return rounded(time * 1000 / importing.sampleRate)
    default:
      unit?.turn(.notPossible("a time is in s, ms, us, mm or samples"))
      return nil
    }
  }

  private func clipper(_ name: String, _ parameters: SourceValue) -> Node {
    let ceiling = parameters["clip_limit"]?.number ?? 0
    let isSoft = parameters["soft_clip"]?.flag ?? false
    if isSoft {
      parameters["soft_clip"]?.turn(
        .approximated("the bend has another shape: up to 0.3 dB off around the limit"))
    }
    return Clipper(
      id: importing.id(name), threshold: .decibels(ceiling), softness: isSoft ? 0.6 : 0,
      oversampling: .off
    ).node
  }

  private func limiter(_ name: String, _ parameters: SourceValue) -> Node {
    let ceiling = parameters["limit"]?.number ?? 0
    let attack = parameters["attack"]?.number.flatMap {
      milliseconds($0, parameters["attack_unit"], otherwise: "ms")
    }
    let release = parameters["release"]?.number.flatMap {
      milliseconds($0, parameters["release_unit"], otherwise: "ms")
    }
    for key in ["attack", "release", "attack_unit", "release_unit"] {
      parameters[key]?.turn(
        .approximated("the limiter has the same ceiling, and curves of its own while it moves"))
    }
    return Limiter(
      id: importing.id(name), ceiling: .decibels(ceiling),
      release: release.map { .milliseconds($0) },
      lookahead: attack.map { .milliseconds(max($0, 0.5)) }, truePeak: false
    ).node
  }
}
