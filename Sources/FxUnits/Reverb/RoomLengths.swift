/// The delays of a reverb in frames: primes, so that no two of them repeat together.
enum RoomLengths {
  /// Seconds of the network's lines at a size of 1, spread evenly by ratio.
  private static let lines = [0.0311, 0.0353, 0.0401, 0.0456, 0.0519, 0.0590, 0.0671, 0.0763]
  /// Seconds of the diffusers of the left and the right input.
  private static let leftDiffusers = [0.0043, 0.0067, 0.0098, 0.0141]
  private static let rightDiffusers = [0.0039, 0.0073, 0.0091, 0.0149]

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
