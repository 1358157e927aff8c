import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

/// Minor and major triads, the lowest of them with notes 21 Hz apart.
@Suite struct `Shifted and stretched chords` {
  private static let rate = 16000.0
  private static let chords: [[Double]] = [
    [220, 277.18, 329.63], [110, 130.81, 164.81], [130.81, 164.81, 196], [185, 220, 277.18],
  ]

  private func worst(_ sound: [Float], _ notes: [Double]) -> Double {
    Chord.errors(
      of: Array(sound.dropFirst(12000).prefix(20000)), notes: notes, sampleRate: Self.rate
    ).map { abs($0) }.max() ?? .infinity
  }

  @Test(arguments: ["file", "live"], [-12.0, -5, 4, 12])
  func `all notes of a shifted chord are in tune`(_ quality: String, _ shift: Double) throws {
    for chord in Self.chords {
      let input = Chord.sound(chord, sampleRate: Self.rate, 36000)
      let renderer = try UnitRenderer(
        UnitType(Pitch.self), inputWidths: [1], options: ["quality": .text(quality)],
        parameters: ["shift": shift], sampleRate: Self.rate)
      let found = worst(renderer.render([input])[0], chord.map { $0 * Math.exp2(shift / 12) })
      #expect(found <= 4, "\(chord)")
    }
  }

  @Test(arguments: [0.5, 0.8, 1.25, 2]) func `all notes of a stretched chord are in tune`(
    _ speed: Double
  ) {
    for chord in Self.chords {
      let input = Chord.sound(chord, sampleRate: Self.rate, 80000)
      let output = stretched([input], speed: speed, count: 34000)[0]
      #expect(worst(output, chord) <= 4, "\(chord)")
    }
  }

  @Test(arguments: ["file", "live"])
  func `little but the notes remains in a shifted chord`(_ quality: String) throws {
    let notes = [220, 277.18, 329.63]
    let input = Chord.sound(notes, sampleRate: Self.rate, 36000)
    let renderer = try UnitRenderer(
      UnitType(Pitch.self), inputWidths: [1], options: ["quality": .text(quality)],
      parameters: ["shift": 4], sampleRate: Self.rate)
    var rest = Array(renderer.render([input])[0].dropFirst(12000).prefix(16384))
    for frame in rest.indices {
      rest[frame] *= Float(0.5 - 0.5 * Math.cos(2 * Double.pi * Double(frame) / 16384))
    }
    let shifted = notes.flatMap { note in (1...3).map { note * Double($0) * Math.exp2(4.0 / 12) } }
    let share = power(rest, shifted) / power(rest, [])
    let level = Math.decibels(amplitude: Math.squareRoot(share))
    #expect(level < (quality == "file" ? -50 : -30))
  }

  /// The power of a sound without the bins within 5 Hz of some frequencies.
  private func power(_ sound: [Float], _ without: [Double]) -> Double {
    let transform = RealTransform(length: sound.count)
    var real = [Float](repeating: 0, count: transform.binCount)
    var imaginary = real
    transform.forward(sound, real: &real, imaginary: &imaginary)
    return real.indices.reduce(0) { sum, bin in
      let hertz = Double(bin) * Self.rate / Double(sound.count)
      if without.contains(where: { abs($0 - hertz) < 5 }) { return sum }
      return sum + Double(real[bin] * real[bin] + imaginary[bin] * imaginary[bin])
    }
  }

  /// The first frames of a stretched sound; silence surrounds the sound.
  private func stretched(_ channels: [[Float]], speed: Double, count: Int) -> [[Float]] {
    var stretcher = TimeStretcher(
      channelCount: channels.count, sampleRate: Self.rate, speed: speed)
    stretcher.begin(at: 0)
    let pieces = channels.map { _ in
      UnsafeMutablePointer<Float>.allocate(capacity: stretcher.length)
    }
    defer { for piece in pieces { piece.deallocate() } }
    var output = channels.map { _ in [Float](repeating: 0, count: count) }
    var (done, start) = (0, -stretcher.past)
    while done < count {
      for (channel, piece) in pieces.enumerated() {
        for frame in 0..<stretcher.length {
          let place = start + frame
          let sample = channels[channel].indices.contains(place) ? channels[channel][place] : 0
          (piece + frame).initialize(to: sample)
        }
      }
      stretcher.add(pieces)
      start += stretcher.hop
      let part = min(stretcher.completeEnd, count) - done
      guard part > 0 else { continue }
      for channel in channels.indices {
        output[channel].withUnsafeMutableBufferPointer { buffer in
          guard let target = buffer.baseAddress else { return }
          stretcher.copy(from: done, count: part, channel: channel, to: target + done)
        }
      }
      done += part
    }
    return output
  }
}
