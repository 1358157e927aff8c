/// What plugins need without saying so, found out by running them under a memory checker.
enum LV2Quirks {
  /// Write past their memory where the longest block is no power of two frames.
  static let needPowerOf2: Set<String> = [
    "http://guitarix.sourceforge.net/plugins/gx_detune_#_detune_"
  ]

  /// Write past their memory at sample rates above this one, in hertz.
  static let highestRates: [String: Double] = [
    "http://drobilla.net/plugins/fomp/cs_chorus2": 48000,
    "http://drobilla.net/plugins/fomp/triple_chorus": 48000,
  ]

  /// Why a plugin cannot run in blocks of up to so many frames at a sample rate; nil when nothing is
  /// known.
  static func problem(of uri: String, blockLength: Int, sampleRate: Double) -> String? {
    if needPowerOf2.contains(uri), blockLength & (blockLength - 1) != 0 {
      return "LV2 plugin '\(uri)' writes past its memory in blocks of no power of two frames, "
        + "and 'blockSize' is \(blockLength)"
    }
    if let highest = highestRates[uri], sampleRate > highest {
      return "LV2 plugin '\(uri)' writes past its memory above "
        + "\(LV2Plugin.number(highest)) Hz, and the sample rate is "
        + "\(LV2Plugin.number(sampleRate)) Hz"
    }
    return nil
  }
}
