/// The delays of the first reverb, in frames.
enum EightLineLengths {
  /// The delays of the network's lines in seconds at a size of 1, evenly spaced by ratio.
  private static let lines = [0.0249, 0.0282, 0.0321, 0.0365, 0.0415, 0.0472, 0.0537, 0.0610]
  /// The delays of the diffusers of the left and the right input, in seconds.
  private static let leftDiffusers = [0.0034, 0.0054, 0.0078, 0.0113, 0.0154, 0.0217]
  private static let rightDiffusers = [0.0031, 0.0058, 0.0073, 0.0119, 0.0166, 0.0207]

  static func lines(size: Double, sampleRate: Double) -> [Int] {
    RoomLengths.primes(lines, scale: size * sampleRate)
  }

  static func leftDiffusers(size: Double, sampleRate: Double) -> [Int] {
    RoomLengths.primes(leftDiffusers, scale: size * sampleRate)
  }

  static func rightDiffusers(size: Double, sampleRate: Double) -> [Int] {
    RoomLengths.primes(rightDiffusers, scale: size * sampleRate)
  }
}
