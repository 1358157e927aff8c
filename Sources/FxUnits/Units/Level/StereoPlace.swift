import FxAudio

/// The position of a named channel in a stereo mix.
///
/// L, R, C, Ls and Rs as in ITU-R BS.775-3, table 2; surround channels at the back and at the side
/// are equal. A single centre surround channel is half of each of two. FLC and FRC are half way to
/// the centre at equal power. Top channels are 3 dB lower than the channels below them.
struct StereoPlace {
  let left: Float
  let right: Float
  private static let half: Float = 0.707_106_77

  /// - Parameter lowFrequency: The factor of the LFE in each output.
  init(_ channel: ChannelName, lowFrequency: Float = 0) {
    let half = StereoPlace.half
    (left, right) =
      switch channel {
      case .frontLeft: (1, 0)
      case .frontRight: (0, 1)
      case .frontCentre: (half, half)
      case .lowFrequency: (lowFrequency, lowFrequency)
      case .backLeft, .sideLeft, .topFrontLeft: (half, 0)
      case .backRight, .sideRight, .topFrontRight: (0, half)
      case .backCentre, .topCentre, .topFrontCentre: (0.5, 0.5)
      case .frontLeftOfCentre: (0.923_879_5, 0.382_683_43)
      case .frontRightOfCentre: (0.382_683_43, 0.923_879_5)
      case .topBackLeft: (0.5, 0)
      case .topBackRight: (0, 0.5)
      case .topBackCentre: (0.353_553_39, 0.353_553_39)
      }
  }

  /// The factor in a mono output, rounded once.
  var mono: Float { Float(0.707_106_781_186_547_5 * (Double(left) + Double(right))) }

  /// The factor in a mono or stereo output.
  func gain(to output: Int, of outputCount: Int) -> Float {
    outputCount == 1 ? StereoPlace.half * (left + right) : output == 0 ? left : right
  }
}
