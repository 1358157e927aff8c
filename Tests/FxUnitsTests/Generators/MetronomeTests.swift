import FxAudio
import FxTestSupport
@testable import FxUnits
import Glibc
import Testing

@Suite struct MetronomeTests {
  private func clicks(
    _ tempo: TempoMap, count: Int, startFrame: Int = 0, perBeat: Int = 1, blocks: [Int] = [256]
  ) throws -> [Float] {
    let renderer = try UnitRenderer(
      UnitType(Metronome.self), inputWidths: [], options: ["perBeat": .number(Double(perBeat))],
      startFrame: startFrame, tempo: tempo)
    return renderer.render([Signal.silence(count)], blocks: blocks)[0]
  }

  /// Frames at which a sound begins after silence, and the peak of the 50 ms from there.
  private func onsets(_ sound: [Float]) -> [(frame: Int, peak: Float)] {
    var found: [(frame: Int, peak: Float)] = []
    var quiet = 1000
    for (frame, sample) in sound.enumerated() {
      if abs(sample) > 1e-6, quiet >= 1000 {
        found.append(
          (frame, sound[frame..<min(frame + 2400, sound.count)].map { abs($0) }.max() ?? 0))
      }
      quiet = abs(sample) > 1e-6 ? 0 : quiet + 1
    }
    return found
  }

  @Test func `it clicks on every beat, the first of a bar twice as loud`() throws {
    let found = try onsets(clicks(TempoMap(tempo: 150), count: 5 * 19200))
    #expect(found.count == 5)
    for (beat, click) in found.enumerated() {
      #expect(abs(click.frame - beat * 19200) < 8)
      let wanted: Float = beat == 0 || beat == 4 ? 0.2512 : 0.1259
      #expect(click.peak < wanted * 1.001)
      #expect(click.peak > wanted * 0.8)
    }
  }

  @Test func `clicks between beats are softer`() throws {
    let found = try onsets(clicks(TempoMap(tempo: 60), count: 96000, perBeat: 2))
    #expect(found.count == 4)
    #expect(found[1].peak < 0.4 * found[2].peak)
    #expect(abs(found[3].frame - 72000) < 8)
  }

  @Test func `blocks of other lengths and a later start give the same clicks`() throws {
    let whole = try clicks(TempoMap(tempo: 133), count: 60000)
    #expect(try clicks(TempoMap(tempo: 133), count: 60000, blocks: [1, 77, 4000]) == whole)
    // From within a pause.
    let later = try clicks(TempoMap(tempo: 133), count: 40000, startFrame: 20000)
    let off = zip(later, whole[20000...]).map { abs($0 - $1) }.max() ?? 1
    #expect(off < 1e-6)
  }
}
