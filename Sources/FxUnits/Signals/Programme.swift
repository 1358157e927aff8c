import FxAudio

/// The signal `programme`: slots of 120 ms in cycles of eight, about a second each. Each slot has
/// one character, with random pitch, vowel, level and balance.
///
/// One part is common to all channels, and one part is different in each channel. Amplitudes add up
/// to at most 1, and a click reaches 1, so the peak is exactly the signal's level.
struct Programme {
  private enum Character {
    case loudVoice, hiss, voice, pause, transients, voiceAndBass, quietVoice
  }

  private static let cycle: [Character] = [
    .loudVoice, .hiss, .voice, .pause, .transients, .voiceAndBass, .quietVoice, .pause,
  ]
  private static let commonHarmonicCount = 12
  private static let ownHarmonicCount = 5

  private let seed: UInt64
  private let sampleRate: Double
  private let channelCount: Int
  private let amplitude: Float
  /// The gain that lowers the peak to -50 dBFS; 1 when the peak is already lower.
  private let quietGain: Double
  private let chunksPerSlot: Int
  private var slot = -1
  /// The voices of the slot: the common one, then one for each channel.
  private var voices: [Voice] = []

  /// A harmonic sound whose pitch glides during the slot.
  private struct Voice {
    /// Turns per frame, and the increase of that per frame.
    var step: Double
    var glide: Double
    var weights: [Float]
    var gain: Float
  }

  private let slotOffset: Int

  init(
    seed: UInt64, slotOffset: Int, sampleRate: Double, channelCount: Int, amplitude: Float
  ) {
    self.seed = seed
    self.slotOffset = max(slotOffset, 0)
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.amplitude = amplitude
    quietGain = amplitude > 0 ? min(Math.amplitude(decibels: -50.0) / Double(amplitude), 1) : 0
    let size = Double(SignalGenerator.chunkFrameCount)
    chunksPerSlot = max(Int((min(sampleRate, 1e9) * 0.12 / size).rounded()), 2)
  }

  /// Makes the chunk that begins at frame `chunk × 256`, one channel after another.
  mutating func fill(_ samples: UnsafeMutablePointer<Float>, chunk: Int) {
    let size = SignalGenerator.chunkFrameCount
    let slot = chunk / chunksPerSlot + slotOffset
    let inSlot = chunk % chunksPerSlot
    if slot != self.slot { begin(slot) }
    switch Self.cycle[slot % Self.cycle.count] {
    case .pause: samples.update(repeating: 0, count: channelCount * size)
    case .transients: fillTransients(samples, slot, inSlot)
    case .hiss: fillVoices(samples, slot, inSlot, gain: 0.35, voice: 0, hiss: 1, bass: 0)
    case .loudVoice:
      fillVoices(samples, slot, inSlot, gain: 0.97, voice: 0.93, hiss: 0.07, bass: 0)
    case .voice: fillVoices(samples, slot, inSlot, gain: 0.4, voice: 0.9, hiss: 0.1, bass: 0)
    case .voiceAndBass:
      fillVoices(samples, slot, inSlot, gain: 0.8, voice: 0.4, hiss: 0.02, bass: 0.58)
    case .quietVoice:
      fillVoices(samples, slot, inSlot, gain: quietGain, voice: 0.97, hiss: 0.03, bass: 0)
    }
  }

  /// Chooses the random voices of a slot.
  private mutating func begin(_ slot: Int) {
    self.slot = slot
    let pitch = 90 * Math.exp2(random(slot, 0) * 1.5)
    let glide = (random(slot, 1) - 0.5) * 0.3
    voices = [
      voice(pitch, glide: glide, harmonics: Self.commonHarmonicCount, slot: slot, of: 2, gain: 0.6)
    ]
    for channel in 0..<channelCount {
      let ratio = 1.25 + 0.25 * Double(channel % 4)
      let own = voice(
        pitch * ratio, glide: -glide, harmonics: Self.ownHarmonicCount, slot: slot,
        of: 16 + 4 * channel, gain: Float(0.25 + 0.15 * random(slot, 17 + 4 * channel)))
      voices.append(own)
    }
  }

  private func random(_ slot: Int, _ purpose: Int) -> Double {
    NoiseStream.unit(NoiseStream.hash(seed, slot, purpose))
  }

  /// A voice whose weights have two random formants; the magnitudes of the weights add up to 1.
  private func voice(
    _ hertz: Double, glide: Double, harmonics: Int, slot: Int, of purpose: Int, gain: Float
  ) -> Voice {
    let first = 300 + 500 * random(slot, purpose + 1)
    let second = 900 + 1500 * random(slot, purpose + 2)
    var weights: [Double] = []
    for harmonic in 1...harmonics {
      let frequency = hertz * Double(harmonic)
      // Leave out harmonics that would alias.
      guard frequency * 1.2 < sampleRate / 2 else {
        weights.append(0)
        continue
      }
      let low = (frequency - first) / 150
      let high = (frequency - second) / 250
      weights.append(0.1 / Double(harmonic) + 1 / (1 + low * low) + 0.5 / (1 + high * high))
    }
    let sum = max(weights.reduce(0, +), 1e-9)
    let slotFrames = Double(chunksPerSlot * SignalGenerator.chunkFrameCount)
    let step = hertz / sampleRate
    return Voice(
      step: step, glide: step * glide / slotFrames, weights: weights.map { Float($0 / sum) },
      gain: gain)
  }

  /// An envelope that rises within 8 % of a slot and falls over its last third.
  private func envelope(_ part: Double) -> Double {
    let rise = min(part / 0.08, 1)
    let fall = min(max((1 - part) / 0.34, 0), 1)
    return rise * rise * (3 - 2 * rise) * fall * fall * (3 - 2 * fall)
  }

  private func fillVoices(
    _ samples: UnsafeMutablePointer<Float>, _ slot: Int, _ inSlot: Int, gain: Double,
    voice: Float, hiss: Float, bass: Float
  ) {
    let size = SignalGenerator.chunkFrameCount
    let first = inSlot * size
    let start = Float(envelope(Double(inSlot) / Double(chunksPerSlot)) * gain) * amplitude
    let end = Float(envelope(Double(inSlot + 1) / Double(chunksPerSlot)) * gain) * amplitude
    let lanes = SIMD8<Float>(0, 1, 2, 3, 4, 5, 6, 7)
    let slope = (end - start) / Float(size)
    let bassStep = (45 + 40 * random(slot, 3)) / sampleRate
    let bassTurns = Float(Waves.turns(bassStep, frame: first))
    withUnsafeTemporaryAllocation(of: Float.self, capacity: size) { common in
      guard let common = common.baseAddress else { return }
      if voice > 0 { Self.sing(common, voices[0], first, scale: voice) }
      for channel in 0..<channelCount {
        let run = samples + channel * size
        let own = voices[1 + channel]
        if voice > 0 { Self.sing(run, own, first, scale: voice) }
        let hiss = hiss * (channel % 2 == 0 ? 1 : 0.8)
        var noise = NoiseStream.begin(
          NoiseStream.hash(seed ^ 0x6869_7373, slot * chunksPerSlot + inSlot, channel))
        for frame in stride(from: 0, to: size, by: 8) {
          let time = lanes + Float(frame)
          var value = NoiseStream.next(&noise) * hiss
          let raw = UnsafeMutableRawPointer(run + frame)
          if voice > 0 {
            value += raw.loadUnaligned(as: SIMD8<Float>.self)
            value += UnsafeRawPointer(common + frame).loadUnaligned(as: SIMD8<Float>.self)
          }
          if bass > 0 {
            value += Waves.cosine(turns: time * Float(bassStep) + bassTurns) * bass
          }
          raw.storeBytes(of: value * (time * slope + start), as: SIMD8<Float>.self)
        }
      }
    }
  }

  /// Writes a chunk of a voice, from a frame of its slot on.
  private static func sing(
    _ samples: UnsafeMutablePointer<Float>, _ voice: Voice, _ first: Int, scale: Float
  ) {
    let frame = Double(first)
    let begun = voice.step * frame + 0.5 * voice.glide * frame * frame
    let turns = Float(begun - begun.rounded(.down))
    let step = Float(voice.step + voice.glide * frame)
    let half = Float(0.5 * voice.glide)
    let lanes = SIMD8<Float>(0, 1, 2, 3, 4, 5, 6, 7)
    let gain = voice.gain * scale
    voice.weights.withUnsafeBufferPointer { weights in
      guard let start = weights.baseAddress else { return }
      for frame in stride(from: 0, to: SignalGenerator.chunkFrameCount, by: 8) {
        let time = lanes + Float(frame)
        let cosine = Waves.cosine(turns: time * (time * half + step) + turns)
        let value = Waves.harmonics(cosine, start, count: weights.count) * gain
        UnsafeMutableRawPointer(samples + frame).storeBytes(of: value, as: SIMD8<Float>.self)
      }
    }
  }

  /// Writes a click in all channels at the beginning of the slot, which reaches the peak, a
  /// decaying noise burst in each channel, and a click in one channel near the end.
  private func fillTransients(
    _ samples: UnsafeMutablePointer<Float>, _ slot: Int, _ inSlot: Int
  ) {
    let size = SignalGenerator.chunkFrameCount
    samples.update(repeating: 0, count: channelCount * size)
    if inSlot == 0 {
      let frame = Int(random(slot, 4) * Double(size - 1))
      for channel in 0..<channelCount { samples[channel * size + frame] = amplitude }
    }
    let burstStart = chunksPerSlot / 4
    let age = inSlot - burstStart
    // The burst falls by 3 dB per chunk, to about -60 dB.
    if age >= 0, age < 20, inSlot < chunksPerSlot - 1 {
      let start = amplitude * Float(Math.amplitude(decibels: -3.0 * Double(age) - 3))
      let slope = start * -0.292_893_2 / Float(size)
      for channel in 0..<channelCount {
        let run = samples + channel * size
        NoiseStream.fill(
          run, count: size,
          key: NoiseStream.hash(seed ^ 0x6275_7273, slot * chunksPerSlot + inSlot, channel),
          amplitude: 1)
        for frame in 0..<size { run[frame] *= start + slope * Float(frame) }
      }
    }
    if inSlot == chunksPerSlot - 1, channelCount > 0 {
      let frame = Int(random(slot, 5) * Double(size - 1))
      let channel = (slot / Self.cycle.count) % channelCount
      samples[channel * size + frame] = -0.7 * amplitude
    }
  }
}
