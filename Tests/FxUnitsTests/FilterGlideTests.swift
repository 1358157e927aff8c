import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

/// Renders arrays through a cascade, cut into blocks; at some points of the control grid sections
/// change.
private func changed(
  _ input: [[Float]], from sections: [FilterSection], changes: [Int: [Int: FilterSection]],
  blocks: [Int], vectorLevel: Int? = nil
) -> [[Float]] {
  cascaded(input, sections, vectorLevel: vectorLevel) { cascade, block in
    var start = 0
    var cut = 0
    while start < block.frameCount {
      if start % ControlGrid.interval == 0 {
        for (index, section) in changes[start] ?? [:] { cascade.set(index, section) }
        cascade.startPiece()
      }
      let piece = ControlGrid.interval - start % ControlGrid.interval
      let end = min(block.frameCount, start + min(piece, blocks[cut % blocks.count]))
      cascade.render(block, from: start, to: end)
      start = end
      cut += 1
    }
  }
}

@Suite struct `A filter cascade that moves` {
  private func sections(_ count: Int, turn: Int) -> [FilterSection] {
    (0..<count).map { index in
      FilterSection(
        FilterShape.allCases[index % 8], frequency: 150 * Double(index + 1 + turn),
        quality: turn == 0 ? 0.8 : 3, amplitude: turn == 0 ? 1.5 : 0.4, sampleRate: 48000)
    }
  }

  @Test(arguments: [1, 2, 3, 5, 8, 10, 12, 13, 27])
  func `gives the same bits for every split and every instruction set`(_ count: Int) {
    let input = (1...3).map { Signal.noise(700, seed: UInt64($0)) }
    let before = sections(count, turn: 0)
    let after = sections(count, turn: 1)
    // Every other section, then the last one while those are on their way, then one back.
    var changes: [Int: [Int: FilterSection]] = [48: [:], 112: [count - 1: after[count - 1]]]
    for index in stride(from: 0, to: count, by: 2) { changes[48]?[index] = after[index] }
    changes[400] = [0: before[0]]
    let reference = changed(input, from: before, changes: changes, blocks: [16], vectorLevel: 0)
    #expect(reference != changed(input, from: before, changes: [:], blocks: [16]))
    for level in 0...3 {
      for blocks in [[1], [5], [16], [3, 1, 9, 2]] {
        let output = changed(
          input, from: before, changes: changes, blocks: blocks, vectorLevel: level)
        #expect(output == reference, "level \(level), blocks \(blocks)")
      }
    }
  }

  @Test func `reaches its target filters`() {
    let input = [Signal.noise(4000)]
    let after = sections(3, turn: 1)
    var changes: [Int: [Int: FilterSection]] = [160: [:]]
    for index in 0..<3 { changes[160]?[index] = after[index] }
    let moved = changed(input, from: sections(3, turn: 0), changes: changes, blocks: [16])[0]
    let still = changed(input, from: after, changes: [:], blocks: [16])[0]
    #expect(Measured.difference(Array(moved[3000...]), Array(still[3000...])) < -140)
  }

  @Test func `stays bounded under any changes`() {
    var random = SeededRandom(3)
    var changes: [Int: [Int: FilterSection]] = [:]
    for point in stride(from: 16, to: 4000, by: 16) {
      changes[point] = [
        0: FilterSection(
          .lowPass, frequency: 20 * Math.pow(1000, random.next(in: 0...1)), quality: 20,
          sampleRate: 48000)
      ]
    }
    // The remains of a short noise in the filters can only fade.
    let input = [Signal.noise(64) + Signal.silence(4000)]
    let first = FilterSection(.lowPass, frequency: 500, quality: 20, sampleRate: 48000)
    let output = changed(input, from: [first], changes: changes, blocks: [16])[0]
    #expect(Measured.peakLevel(Array(output[64..<1000])) < 6)
    #expect(Measured.peakLevel(Array(output[3500...])) < -40)
  }

  @Test func `treats a sample that is NaN, infinite or too loud as silence`() {
    let sections = sections(13, turn: 0)
    let noise = Signal.noise(600)
    for bad in [Float.nan, .infinity, -.infinity, 3e38] {
      var (broken, silenced) = (noise, noise)
      (broken[100], silenced[100]) = (bad, 0)
      (broken[300], silenced[300]) = (bad, 0)
      let changes = [256: [0: self.sections(1, turn: 1)[0]]]
      for level in 0...3 {
        func render(_ input: [Float]) -> [[Float]] {
          changed([input], from: sections, changes: changes, blocks: [16], vectorLevel: level)
        }
        #expect(render(broken) == render(silenced), "\(bad), level \(level)")
      }
    }
  }
}
