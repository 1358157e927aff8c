import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Testing

struct SilenceCutTests {
  /// Bursts of noise between silences, at 1000 frames a second.
  private static func sound(_ seed: UInt64) -> [[Float]] {
    var state = seed
    func random() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 40) / 0x1p24
    }
    var sound: [[Float]] = [[], []]
    for number in 0..<12 {
      let level: Float = (number & 1 == 0) == (seed & 1 == 0) ? 0.001 : 0.5
      for _ in 0..<Int(random() * 900) + 1 {
        for channel in 0..<2 { sound[channel].append(level * Float(random() * 1.8 - 0.9)) }
      }
    }
    return sound
  }

  /// The promise of `cutSilence`, applied to the whole sound: marks each frame, and joins the rest.
  private static func reference(_ sound: [[Float]], _ cut: SilenceCut) -> [[Float]] {
    let total = sound[0].count
    let threshold = Float(Math.amplitude(decibels: cut.rule.level))
    let isLoud = (0..<total).map { frame in sound.contains { abs($0[frame]) > threshold } }
    guard let first = isLoud.firstIndex(of: true), let last = isLoud.lastIndex(of: true) else {
      return sound
    }
    let kept = Int(((cut.rule.keep ?? 0.2) * 1000).rounded())
    let (after, before) = (kept / 2, kept - kept / 2)
    var stays = Array(repeating: true, count: total)
    func leave(_ range: Range<Int>) { for frame in range { stays[frame] = false } }
    if cut.part.cutsStart, first > before { leave(0..<first - before) }
    if cut.part.cutsEnd, last + 1 + after < total { leave(last + 1 + after..<total) }
    var frame = first
    while cut.part.cutsInside, frame < last {
      guard !isLoud[frame] else {
        frame += 1
        continue
      }
      let end = isLoud[frame...].firstIndex(of: true) ?? total
      if end - frame >= Int((cut.rule.time * 1000).rounded()), frame + after < end - before {
        leave(frame + after..<end - before)
      }
      frame = end
    }
    // Runs that stay, and the crossfades between them.
    var runs: [Range<Int>] = []
    var place = 0
    while let begin = stays[place...].firstIndex(of: true) {
      let end = stays[begin...].firstIndex(of: false) ?? total
      runs.append(begin..<end)
      place = end
    }
    let fade = Int((cut.fade * 1000).rounded())
    return sound.map { samples in
      var result: [Float] = []
      for (index, run) in runs.enumerated() {
        var piece = Array(samples[run])
        let next = index + 1 < runs.count ? runs[index + 1].lowerBound : total
        let length = min(fade, next - run.upperBound, run.count)
        for k in 0..<length {
          let share = Float(k + 1) / Float(length + 1)
          let other = index + 1 < runs.count ? samples[next - length + k] : 0
          let place = run.count - length + k
          piece[place] = piece[place] * (1 - share) + other * share
        }
        if index == 0 {
          let length = min(fade, run.lowerBound, run.count)
          for k in 0..<length { piece[k] *= Float(k + 1) / Float(length + 1) }
        }
        result += piece
      }
      return result
    }
  }

  private static let cuts = SilenceCut.Part.allCases.flatMap { part in
    [
      SilenceCut(part), SilenceCut(part, SilenceRule(time: 0.1, keep: 0), fade: 0),
      SilenceCut(part, SilenceRule(level: -55, time: 0.2, keep: 0.05), fade: 0.03),
      SilenceCut(part, SilenceRule(time: 0.05, keep: 0.3), fade: 1),
    ]
  }

  private func source(_ sound: [[Float]], _ cut: SilenceCut) throws -> SilenceCutSource {
    let map = try SilenceMap(ArraySource(sound, sampleRate: 1000, isLengthKnown: false), cut)
    return SilenceCutSource(ArraySource(sound, sampleRate: 1000), map)
  }

  @Test(arguments: cuts)
  func `the remaining frames are those of a simple search of the whole sound, for every block size`(
    _ cut: SilenceCut
  ) throws {
    for seed in 1...10 as ClosedRange<UInt64> {
      let sound = Self.sound(seed)
      let expected = Self.reference(sound, cut)
      for block in [1, 97, 100_000] {
        let source = try source(sound, cut)
        #expect(source.frameCount == expected[0].count)
        #expect(try readAll(source, block: block) == expected, "\(cut) \(seed) \(block)")
      }
    }
  }

  @Test func `a jump gives the samples of a whole read`() throws {
    let sound = Self.sound(2)
    let cut = SilenceCut(.all, SilenceRule(time: 0.05, keep: 0.02), fade: 0.01)
    let whole = try readAll(try source(sound, cut))
    let source = try source(sound, cut)
    for frame in stride(from: whole[0].count, through: 0, by: -37) {
      try source.seek(toFrame: frame)
      #expect(try readAll(source, block: 50) == whole.map { Array($0[frame...]) }, "\(frame)")
    }
  }

  @Test func `a sound below the level is refused where its ends are cut`() {
    let silent = [[Float]](repeating: Array(repeating: 0.0001, count: 5000), count: 2)
    for part in SilenceCut.Part.allCases {
      let error = ioError { _ = try source(silent, SilenceCut(part)) }
      #expect((error?.code == .empty) == (part != .inside))
    }
  }
}
