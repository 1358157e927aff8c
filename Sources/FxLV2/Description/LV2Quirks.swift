/// Undeclared limits of plugins, found by running them under a memory checker.
enum LV2Quirks {
  /// These write past their memory unless the longest block is a power of two frames.
  static let needPowerOf2: Set<String> = [
    "http://guitarix.sourceforge.net/plugins/gx_detune_#_detune_"
  ]

  /// These write past their memory at sample rates above this one, in hertz.
  static let highestRates: [String: Double] = [
    "http://drobilla.net/plugins/fomp/cs_chorus2": 48000,
    "http://drobilla.net/plugins/fomp/triple_chorus": 48000,
  ]

  /// The reason why a plugin cannot run with this longest block and sample rate; nil when none is
  /// known.
  static func problem(of uri: String, blockLength: Int, sampleRate: Double) -> String? {
    if needPowerOf2.contains(uri), blockLength & (blockLength - 1) != 0 {
      return "LV2 plugin '\(uri)' writes past its memory in blocks whose length is no power of "
        + "two, and 'blockSize' is \(blockLength)"
    }
    if let highest = highestRates[uri], sampleRate > highest {
      return "LV2 plugin '\(uri)' writes past its memory above "
        + "\(LV2Plugin.number(highest)) Hz, and the sample rate is "
        + "\(LV2Plugin.number(sampleRate)) Hz"
    }
    return nil
  }
}
