import FxAudio

/// The synthetic impulse response of a guitar loudspeaker in its box, as a microphone picks it up.
///
/// Its parts are a high-pass for the box, the box's resonance, the presence peak and the steep
/// upper end of the cone, a few dozen narrow resonances of the cone's break-up, and a floor
/// reflection. On the control thread.
struct CabinetImpulse: Sendable {
  /// A cabinet by its speakers.
  enum Speaker: String, Sendable, CaseIterable {
    case oneTen = "1x10"
    case oneTwelve = "1x12"
    case twoTwelve = "2x12"
    case fourTwelve = "4x12"
  }

  /// The sound parameters of a cabinet.
  private struct Character {
    /// Hertz and Q of the box's high-pass.
    var low: (Double, Double)
    /// Hertz, decibels and Q of the resonance, of the dip above it and of the presence peak.
    var bells: [(Double, Double, Double)]
    /// The upper limit of the cone in hertz.
    var high: Double
    /// Milliseconds and level of the reflection. `seed` is for the cone's resonances.
    var reflection: (Double, Double)
    var seed: UInt64
  }

  private static func character(_ speaker: Speaker) -> Character {
    switch speaker {
    case .oneTen:
      Character(
        low: (110, 0.8), bells: [(160, 3, 1.2), (500, -2, 0.9), (3200, 5, 1.1)], high: 5600,
        reflection: (1.7, 0.2), seed: 10)
    case .oneTwelve:
      Character(
        low: (90, 0.8), bells: [(130, 3, 1.2), (420, -2.5, 0.9), (2800, 5, 1.2)], high: 5000,
        reflection: (2.1, 0.18), seed: 12)
    case .twoTwelve:
      Character(
        low: (80, 0.9), bells: [(115, 4, 1.3), (400, -3, 0.9), (2600, 5, 1.2)], high: 5000,
        reflection: (2.4, 0.15), seed: 22)
    case .fourTwelve:
      Character(
        low: (70, 1.1), bells: [(105, 5, 1.4), (380, -4, 0.9), (2400, 6, 1.1)], high: 4700,
        reflection: (1.3, 0.12), seed: 42)
    }
  }

  /// The length of the impulse in frames.
  package static func frameCount(sampleRate: Double) -> Int { max(1, Int(0.04 * sampleRate)) }

  /// The impulse at a sample rate, scaled so that the gain at its loudest frequency is within a few
  /// decibels of 0 dB.
  ///
  /// - Parameter position: The position of the microphone: 0 is the middle of the cone, 1 its edge.
  package static func make(
    _ speaker: Speaker, position: Double, sampleRate: Double
  ) -> ImpulseResponse {
    let character = character(speaker)
    let count = frameCount(sampleRate: sampleRate)
    var sound = [Double](repeating: 0, count: count)
    sound[0] = 1
    for section in sections(character, position: position, sampleRate: sampleRate) {
      section.filter(&sound)
    }
    let delay = character.reflection.0 / 1000 * sampleRate
    var reflected = sound
    FilterSection(.lowPass, frequency: 2500, sampleRate: sampleRate).filter(&reflected)
    for frame in stride(from: count - 1, through: Int(delay), by: -1) {
      sound[frame] += character.reflection.1 * reflected[frame - Int(delay)]
    }
    // Fade out over the last quarter.
    let fade = count / 4
    for frame in (count - fade)..<count {
      sound[frame] *= 0.5 + 0.5 * Math.cos(Double.pi * Double(frame - count + fade) / Double(fade))
    }
    return ImpulseResponse(SoundAsset([sound.map { Float(0.6 * $0) }]))
  }

  private static func sections(
    _ character: Character, position: Double, sampleRate: Double
  ) -> [FilterSection] {
    func peak(_ frequency: Double, _ decibels: Double, _ q: Double) -> FilterSection {
      FilterSection(
        .peak, frequency: frequency, quality: q, amplitude: Math.amplitude(decibels: decibels),
        sampleRate: sampleRate)
    }
    var sections = [
      FilterSection(
        .highPass, frequency: character.low.0, quality: character.low.1, sampleRate: sampleRate)
    ]
    sections += character.bells.map { peak($0.0, $0.1, $0.2) }
    for q in [0.54, 1.31] {
      sections.append(
        FilterSection(
          .lowPass, frequency: character.high, quality: q, sampleRate: sampleRate))
    }
    sections.append(
      FilterSection(
        .highShelf, frequency: 2200, quality: 0.6,
        amplitude: Math.amplitude(decibels: 2 - 9 * position), sampleRate: sampleRate))
    var random = SplitMix(seed: character.seed)
    for index in 0..<28 {
      let frequency = 600 * Math.exp2(Double(index) / 28 * 3.4 + 0.1 * random.next())
      sections.append(peak(frequency, 3 * (2 * random.next() - 1), 5 + 12 * random.next()))
    }
    return sections
  }
}

/// Repeatable random numbers from 0 to 1: S. Vigna's SplitMix64.
private struct SplitMix {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((bits ^ (bits >> 31)) >> 11) * 0x1p-53
  }
}

extension FilterSection {
  /// Filters a whole sound in double precision.
  fileprivate func filter(_ sound: inout [Double]) {
    var (first, second) = (0.0, 0.0)
    for frame in sound.indices {
      let input = sound[frame]
      let difference = a * (input - second) - c * first
      sound[frame] = d * input + p * first + q * second
      second += 2 * first + difference
      first += difference
    }
  }
}
