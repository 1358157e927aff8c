/// The delays of a reverb in frames: primes, so that no two of them repeat together.
enum RoomLengths {
  /// Seconds of the network's lines at a size of 1, spread evenly by ratio.
  private static let lines = [0.0249, 0.0282, 0.0321, 0.0365, 0.0415, 0.0472, 0.0537, 0.0610]
  /// Seconds of the diffusers of the left and the right input.
  private static let leftDiffusers = [0.0034, 0.0054, 0.0078, 0.0113, 0.0154, 0.0217]
  private static let rightDiffusers = [0.0031, 0.0058, 0.0073, 0.0119, 0.0166, 0.0207]

  static func lines(size: Double, sampleRate: Double) -> [Int] {
    primes(lines, scale: size * sampleRate)
  }

  static func leftDiffusers(size: Double, sampleRate: Double) -> [Int] {
    primes(leftDiffusers, scale: size * sampleRate)
  }

  static func rightDiffusers(size: Double, sampleRate: Double) -> [Int] {
    primes(rightDiffusers, scale: size * sampleRate)
  }

  /// For each time the next prime that is not taken yet.
  private static func primes(_ seconds: [Double], scale: Double) -> [Int] {
    var taken: [Int] = []
    for time in seconds {
      var candidate = max(5, Int((time * scale).rounded()))
      while taken.contains(candidate) || !isPrime(candidate) { candidate += 1 }
      taken.append(candidate)
    }
    return taken
  }

  private static func isPrime(_ number: Int) -> Bool {
    var divisor = 2
    while divisor * divisor <= number {
      if number % divisor == 0 { return false }
      divisor += 1
    }
    return number > 1
  }
}
