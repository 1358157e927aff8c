import FxAudio

/// The delays of a reverb in frames: different primes, so that no two of them repeat together.
enum RoomLengths {
  /// The shortest line in seconds at a size of 1; the longest is three times as long. Lengths grow
  /// with the square root of the size, because a room of twice the size sounds less than twice as
  /// large.
  private static let shortestLine = 0.030
  /// The delays of the diffusers of the left and the right input in seconds, the same in every
  /// room.
  private static let leftDiffusers = [83, 131, 191, 271, 373, 521].map { Double($0) / 48000 }
  private static let rightDiffusers = [79, 139, 179, 293, 401, 499].map { Double($0) / 48000 }

  static func lines(size: Double, sampleRate: Double) -> [Int] {
    let count = ReverbNetwork.lineCount
    let seconds = (0..<count).map {
      shortestLine * Math.pow(3, Double($0) / Double(count - 1))
    }
    return primes(seconds, scale: Math.squareRoot(size) * sampleRate)
  }

  static func leftDiffusers(sampleRate: Double) -> [Int] {
    primes(leftDiffusers, scale: sampleRate)
  }

  static func rightDiffusers(sampleRate: Double) -> [Int] {
    primes(rightDiffusers, scale: sampleRate)
  }

  /// The next unused prime for each time.
  static func primes(_ seconds: [Double], scale: Double) -> [Int] {
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
