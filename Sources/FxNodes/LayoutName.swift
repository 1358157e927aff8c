/// The name of a channel layout, in the order of a WAV file.
public enum LayoutName: String, ParameterChoice {
  case mono, stereo, quad
  case stereoWithLFE = "2.1"
  case front = "3.0"
  case frontWithLFE = "3.1"
  case quadSide = "quad(side)"
  case surround40 = "4.0"
  case surround41 = "4.1"
  case surround50 = "5.0"
  case surround50Side = "5.0(side)"
  case surround51 = "5.1"
  case surround51Side = "5.1(side)"
  case surround60 = "6.0"
  case surround61 = "6.1"
  case surround70 = "7.0"
  case surround71 = "7.1"
  case surround71Wide = "7.1(wide)"
  case surround512 = "5.1.2"
  case surround714 = "7.1.4"
  /// Channels without names, in the order of the file.
  case discrete
}
