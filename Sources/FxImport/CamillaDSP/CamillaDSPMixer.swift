import FxNodes

/// A mixer of CamillaDSP, which is a `matrix`.
struct CamillaDSPMixer {
  let definition: SourceValue
  let inputChannels: Int?
  let outputChannels: Int

  init(_ definition: SourceValue) {
    self.definition = definition
    inputChannels = definition["channels"]?["in"]?.integer
    outputChannels = definition["channels"]?["out"]?.integer ?? 0
    for key in ["description", "labels"] { definition[key]?.settle() }
  }

  /// The node; nil for a mixer that cannot be translated.
  func matrix(_ id: String, _ comment: String) -> Matrix? {
    guard (1...32).contains(outputChannels) else {
      definition.turn(.notPossible("a mixer of fxrun has 1 to 32 outputs"))
      return nil
    }
    var routes: [Matrix.Route] = []
    for mapping in definition["mapping"]?.elements ?? [] {
      guard let target = mapping["dest"]?.integer else { continue }
      let isMuted = mapping["mute"]?.flag ?? false
      guard (0..<outputChannels).contains(target) else {
        mapping.turn(.notPossible("the mixer has \(outputChannels) outputs"))
        continue
      }
      for source in mapping["sources"]?.elements ?? [] {
        guard let channel = source["channel"]?.integer else { continue }
        let gain = CamillaDSPGain(source)
        guard (0..<(inputChannels ?? 256)).contains(channel) else {
          source.turn(.notPossible("the mixer has \(inputChannels ?? 256) inputs"))
          continue
        }
        if isMuted || gain.isMuted { continue }
        routes.append(
          Matrix.Route(
            from: channel + 1, to: target + 1, gain: gain.level,
            invert: gain.isInverted ? true : nil))
      }
    }
    return Matrix(id: id, channels: outputChannels, routes: routes).comment(comment)
  }
}

/// `gain`, `scale`, `inverted` and `mute`, which mixers and gains have.
struct CamillaDSPGain {
  /// nil for 0 dB.
  let level: Level?
  let isInverted: Bool
  let isMuted: Bool

  init(_ source: SourceValue) {
    var gain = source["gain"]?.number ?? 0
    var isInverted = source["inverted"]?.flag ?? false
    var isMuted = source["mute"]?.flag ?? false
    if source["scale"]?.text == "linear" {
      if gain < 0 { isInverted.toggle() }
      if gain == 0, source["gain"] != nil { isMuted = true }
      gain = gain == 0 ? 0 : decibels(abs(gain))
    }
    level = gain == 0 ? nil : .decibels(rounded(gain))
    self.isInverted = isInverted
    self.isMuted = isMuted
  }
}
