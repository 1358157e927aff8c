import FxAudio
import FxDSP

/// The delays of a reverb in frames: primes, so that no two of them repeat together.
enum RoomLengths {
  /// Seconds of the shortest line at a size of 1; the longest is three times as long. The walls of
  /// twice the room are less than twice as far away for the ear, hence the root.
  private static let shortestLine = 0.030
  /// Seconds of the diffusers of the left and the right input, the same in every room.
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

  /// For each time the next prime that is not taken yet.
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
