@testable import FxUnits
import Testing

@Suite struct PhaseGlideTests {
  /// Follows a phase that jumps at a frame and has a different step from there on.
  private func follow(frames: Int, jump: Int) -> (phases: [Double], followed: [Double]) {
    var glide = PhaseGlide(sampleRate: 48000)
    let phases = (0..<frames).map { frame -> Double in
      let phase = frame < jump ? Double(frame) * 1e-4 : 0.4 + Double(frame) * 3e-5
      return phase.truncatingRemainder(dividingBy: 1)
    }
    let followed = phases.enumerated().map { glide.follow($1, jumps: $0 == jump) }
    return (phases, followed)
  }

  @Test func `a phase that never jumps is followed to the bit`() {
    let (phases, followed) = follow(frames: 30000, jump: 30000)
    #expect(followed == phases)
  }

  @Test func `neither the phase nor its speed jumps, and both arrive`() {
    let (phases, followed) = follow(frames: 110_000, jump: 7000)
    #expect(Array(followed[..<7000]) == Array(phases[..<7000]))
    #expect(followed[103_000...] == phases[103_000...])
    let isInRange = followed.allSatisfy { 0 <= $0 && $0 < 1 }
    #expect(isInRange)
    let steps = zip(followed, followed.dropFirst()).map { pair -> Double in
      let step = pair.1 - pair.0
      return step > 0.5 ? step - 1 : (step < -0.5 ? step + 1 : step)
    }
    let bends = zip(steps, steps.dropFirst()).map { abs($1 - $0) }
    #expect((bends.max() ?? 1) < 2e-6)
  }

  @Test func `a phase that jumps at every frame is followed in time`() {
    var glide = PhaseGlide(sampleRate: 48000)
    var off = 0.0
    for frame in 0..<48000 {
      let phase = (Double(frame) * 2e-5).truncatingRemainder(dividingBy: 1)
      let difference = abs(glide.follow(phase, jumps: frame > 0) - phase)
      off = frame < 24000 ? 0 : max(off, min(difference, 1 - difference))
    }
    #expect(off < 0.12)
  }

  @Test func `a reset forgets the jump`() {
    var glide = PhaseGlide(sampleRate: 48000)
    _ = glide.follow(0.1, jumps: false)
    _ = glide.follow(0.7, jumps: true)
    glide.reset()
    #expect(glide.follow(0.3, jumps: true) == 0.3)
  }

  @Test func `many phases at once are followed like one after another`() {
    let phases = (0..<100).map { (Double($0) * 0.013).truncatingRemainder(dividingBy: 1) }
    for count in [0, 1, 2, 60] {
      var (one, other) = (PhaseGlide(sampleRate: 48000), PhaseGlide(sampleRate: 48000))
      for phase in phases[..<10] {
        _ = one.follow(phase, jumps: false)
        _ = other.follow(phase, jumps: false)
      }
      let isFollowed = one.follow(Array(phases[10..<10 + count]), count: count)
      #expect(isFollowed)
      for phase in phases[10..<10 + count] { _ = other.follow(phase, jumps: false) }
      // The glide of a jump depends on the last phase and its step.
      for offset in 0..<20 {
        let phase = (phases[10 + count + offset] + 0.3).truncatingRemainder(dividingBy: 1)
        let followed = one.follow(phase, jumps: offset == 0)
        let expected = other.follow(phase, jumps: offset == 0)
        #expect(followed == expected)
      }
    }
  }

  @Test func `many phases at once are refused while a jump decays`() {
    var glide = PhaseGlide(sampleRate: 48000)
    _ = glide.follow(0.1, jumps: false)
    var answers = [glide.follow([0.2, 0.3], count: 2)]
    _ = glide.follow(0.9, jumps: true)
    answers.append(glide.follow([0.0, 0.1], count: 2))
    _ = glide.follow(0.0, jumps: false)
    answers.append(glide.follow([0.1, 0.2], count: 2))
    glide.reset()
    answers.append(glide.follow([0.1, 0.2], count: 2))
    #expect(answers == [true, false, false, true])
  }
}
