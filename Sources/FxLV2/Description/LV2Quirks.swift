/// What plugins need without saying so, found out by running them.
enum LV2Quirks {
  /// Write past their memory where the longest block is no power of two frames.
  static let needPowerOf2: Set<String> = [
    "http://guitarix.sourceforge.net/plugins/gx_detune_#_detune_"
  ]

  /// Why a plugin cannot run in blocks of up to so many frames; nil when nothing is known.
  static func problem(of uri: String, blockLength: Int) -> String? {
    guard needPowerOf2.contains(uri), blockLength & (blockLength - 1) != 0 else { return nil }
    return "LV2 plugin '\(uri)' writes past its memory in blocks of no power of two frames, "
      + "and 'blockSize' is \(blockLength)"
  }
}
