import FxNodes
import Glibc

extension EasyEffectsPlugin {
  // MARK: Convolver

  func convolver() -> EasyEffectsNodes? {
    guard let (key, file) = impulse() else { return nil }
    if number("ir-width", 100) != 100 {
      turn(["ir-width"], .notPossible("fxrun does not change the width of an impulse"))
    }
    settle(
      ["target-sofa-azimuth", "target-sofa-elevation", "target-sofa-radius"],
      .translated("of a SOFA file; the impulse is a sound file"))
    let isScaled = settings["autogain"]?.flag ?? true
    if isScaled, settings["autogain"] != nil {
      turn(
        ["autogain"],
        .approximated(
          "the same gain, unless one value has over half of the energy: there EasyEffects is up to 3 dB quieter"
        ))
    }
    let node = Convolver(
      id: importing.id(name), impulse: importing.file(file), normalize: isScaled ? true : nil)
    if let mistake = importing.mistake(of: node, channels: 2) {
      settings[key]?.turn(.notPossible(mistake))
      return refuse("there is no impulse")
    }
    return mixed(node)
  }

  /// The file of the impulse, and the key that names it; nil if there is none.
  private func impulse() -> (key: String, file: String)? {
    if let kernel = settings["kernel-name"]?.text, !kernel.isEmpty {
      settings["kernel-path"]?.settle(.translated("kernel-name stands for it"))
      let candidates = Self.folders.flatMap { folder in
        ["irs", "wav", "flac"].map { "\(folder)\(kernel).\($0)" }
      }
      guard let file = candidates.first(where: exists) else {
        _ = refuse(
          "there is no \(kernel).irs beside the preset or in a folder of EasyEffects for impulses")
        return nil
      }
      settings["kernel-name"]?.turn(.translated("the file \(file)"))
      return ("kernel-name", file)
    }
    guard let path = settings["kernel-path"]?.text, !path.isEmpty else {
      _ = refuse("it names no impulse")
      return nil
    }
    settings["kernel-name"]?.settle()
    return ("kernel-path", path)
  }

  private func exists(_ file: String) -> Bool { access(importing.target.found(file), R_OK) == 0 }

  /// Where impulses may be: beside the preset, and where EasyEffects keeps them.
  private static var folders: [String] {
    let home = getenv("HOME").map { String(cString: $0) } ?? ""
    let bases = [".local/share", ".config"].map { "\(home)/\($0)/easyeffects/irs/" }
    let flatpak = ["data", "config"].map {
      "\(home)/.var/app/com.github.wwmm.easyeffects/\($0)/easyeffects/irs/"
    }
    return ["", "../irs/"] + bases + flatpak
  }

  // MARK: Reverb

  /// The reverb of Calf.
  func reverb() -> EasyEffectsNodes? {
    let sizes = [
      "Small": 0.4, "Medium": 0.7, "Large": 1, "Tunnel-like": 1.2, "Large/smooth": 1.4,
      "Experimental": 1.6,
    ]
    let size = settings["room-size"]?.text
    turn(
      ["room-size", "decay-time", "hf-damp", "diffusion", "predelay", "bass-cut"],
      .approximated("the same time, pre-delay and filters in a room of fxrun's own"))
    if number("treble-cut", 20000) < 20000 {
      turn(["treble-cut"], .notPossible("fxrun's reverb loses treble by its damping alone"))
    }
    let factor = { (level: Double) in level <= -80 ? 0 : pow(10, level / 20) }
    let (direct, room) = (factor(number("dry", 0)), factor(number("amount", -12)))
    let sum = direct + room
    guard sum > 0 else { return EasyEffectsNodes(Gain(id: importing.id(name), gain: .silence)) }
    let node = Reverb(
      id: importing.id(name), decay: .seconds(number("decay-time", 1.5, in: 0.1...20)),
      preDelay: .seconds(number("predelay", 0, in: 0...0.25, scale: 0.001)),
      damping: .hertz(number("hf-damp", 5000, in: 500...20000)),
      lowCut: .hertz(number("bass-cut", 300, in: 10...1000)),
      diffusion: .percent(number("diffusion", 0.5, in: 0...1) * 100),
      size: .percent((size.flatMap { sizes[$0] } ?? 1) * 100))
    return EasyEffectsNodes(
      node.node.key("wet", .number(rounded(room / sum))), after: sum == 1 ? 0 : decibels(sum))
  }

  // MARK: Delay

  func delay() -> EasyEffectsNodes? {
    let delays = ["l", "r"].map(delayTime)
    let hasDirect = ["l", "r"].contains { number("dry-\($0)", -100) > -80 }
    let gains = ["l", "r"].map { side in
      (level: number("wet-\(side)", 0), isInverted: flag("invert-phase-\(side)"))
    }
    if hasDirect {
      turn(["dry-l", "dry-r"], .notPossible("fxrun's align passes the delayed signal alone"))
    }
    let isAlike = delays[0] == delays[1] && gains[0] == gains[1]
    let parts = (isAlike ? [0] : [0, 1]).flatMap { side -> [EasyEffectsNodes.Part] in
      let channels = isAlike ? nil : [side]
      let suffix = isAlike ? "" : side == 0 ? "-left" : "-right"
      var parts: [EasyEffectsNodes.Part] = []
      if delays[side] > 0 || isAlike {
        let align = Align(id: importing.id(name + suffix), time: .seconds(rounded(delays[side])))
        parts.append(EasyEffectsNodes.Part(node: align.node, channels: channels))
      }
      if gains[side].level != 0 || gains[side].isInverted {
        let gain = Gain(
          id: importing.id("\(name)\(suffix)-gain"),
          gain: gains[side].level <= -80 ? .silence : .decibels(gains[side].level),
          invert: gains[side].isInverted ? true : nil)
        parts.append(EasyEffectsNodes.Part(node: gain.node, channels: channels))
      }
      return parts
    }
    return EasyEffectsNodes(parts)
  }

  /// Seconds.
  private func delayTime(_ side: String) -> Double {
    let mode = settings["mode-\(side)"]?.text ?? "Time"
    let time = number("time-\(side)", 0) / 1000
    let frames = number("sample-\(side)", 0) / importing.sampleRate
    let metres = number("meters-\(side)", 0) + number("centimeters-\(side)", 0) / 100
    // The speed of sound in air, of an ideal gas.
    let kelvin = number("temperature-\(side)", 20) + 273.15
    let speed = (1.4 * 8.3144626 * kelvin / 0.0289645).squareRoot()
    if mode == "Samples", frames > 0 {
      turn(["sample-\(side)"], .approximated("as a time, at \(Int(importing.sampleRate)) Hz"))
    }
    return mode == "Samples" ? frames : mode == "Distance" ? metres / speed : time
  }
}
