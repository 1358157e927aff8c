import FxAudio
@testable import FxEngine
import FxTestSupport
import Testing

/// The level of a chain of gains during a crossfade to a changed chain.
@Suite struct TransitionLevelTests {
  /// Levels of a steady signal, by sink: before, after, and the lowest and highest in between.
  private struct Levels {
    let before: Float
    let after: Float
    let least: Float
    let most: Float

    /// At no time a decibel above both, or below them.
    var areBetween: Bool {
      most <= max(before, after) * 1.122 && least >= min(before, after) / 1.122
    }
  }

  private func levels(
    _ before: MortalChain, _ after: MortalChain
  ) throws -> (levels: [Levels], kept: [String]) {
    let rig = try TransitionRig(before) { _, _, _ in 0.5 }
    rig.render(128)
    let change = try rig.change(to: after)
    let nodes = rig.program.graph.graph.nodes
    let kept = change.kept.indices.filter { change.kept[$0] != nil }.map { nodes[$0].id }
    rig.settle()
    rig.render(64)
    let levels = rig.output.map { channels in
      Levels(
        before: channels[0][127], after: channels[0].last ?? 0, least: channels[0].min() ?? 0,
        most: channels[0].max() ?? 0)
    }
    return (levels, kept.filter { !$0.hasPrefix("in") && !$0.hasPrefix("out") })
  }

  @Test(arguments: [
    ("in -> soft -> loud -> out", "in -> loud -> soft -> out"),
    // A kept node between a removed one and a new one.
    ("in -> soft -> scale -> loud -> out", "in -> scale -> out"),
    ("in -> scale -> out", "in -> loud -> scale -> soft -> out"),
    ("in -> soft -> scale -> out", "in -> scale -> soft-b -> out"),
    ("in -> loud -> scale -> scale-b -> out", "in -> scale -> scale-b -> loud -> out"),
  ])
  func `swapped gains stay between the old and the new level`(
    _ before: String, _ after: String
  ) throws {
    let (levels, kept) = try levels(MortalChain(before), MortalChain(after))
    #expect(levels[0].areBetween, "\(levels[0])")
    #expect(kept == [])
  }

  @Test func `a loud memory does not reach a new gain after it`() throws {
    let (levels, kept) = try levels(
      MortalChain("in -> loud -> echo -> out"), MortalChain("in -> echo -> loud -> out"))
    #expect(levels[0].most <= max(levels[0].before, levels[0].after) * 1.122, "\(levels[0])")
    #expect(kept == [])
  }

  @Test(arguments: [
    (
      "in -> scale -> soft -> loud -> scale-b -> out",
      "in -> scale -> loud -> soft -> scale-b -> out", ["scale", "scale-b"]
    ),
    (
      "in -> scale -> scale-b -> out", "in -> loud -> scale -> scale-b -> out",
      ["scale", "scale-b"]
    ),
    (
      "in -> scale -> loud -> scale-b -> out", "in -> scale -> scale-b -> out",
      ["scale", "scale-b"]
    ),
  ])
  func `nodes before or after all changes are kept`(
    _ before: String, _ after: String, _ stay: [String]
  ) throws {
    let (levels, kept) = try levels(MortalChain(before), MortalChain(after))
    #expect(levels[0].areBetween, "\(levels[0])")
    #expect(kept == stay)
  }

  @Test func `an added path from a node keeps it and its neighbours`() throws {
    let (_, kept) = try levels(
      MortalChain("in -> scale -> scale-b -> out"),
      MortalChain("in -> scale -> scale-b -> out", "scale -> soft -> out"))
    #expect(kept == ["scale", "scale-b"])
  }

  @Test(arguments: 0..<150)
  func `rows of gains in any order stay between the old and the new level`(_ seed: Int) throws {
    var random = SplitMix(state: UInt64(seed) &* 31 &+ 9)
    var row = (0..<(1 + random.below(6))).map { _ in "" }
    func gain(_ number: Int) -> String { "\(MortalUnit.gains[random.below(3)])-\(number)" }
    for place in row.indices { row[place] = gain(place) }
    let before = MortalChain((["in"] + row + ["out"]).joined(separator: " -> "))
    for step in 0...random.below(3) {
      switch random.below(3) {
      case 0: row.insert(gain(10 + step), at: random.below(row.count + 1))
      case 1 where row.count > 1: row.remove(at: random.below(row.count))
      default:
        let moved = row.remove(at: random.below(row.count))
        row.insert(moved, at: random.below(row.count + 1))
      }
    }
    let after = MortalChain((["in"] + row + ["out"]).joined(separator: " -> "))
    let (levels, _) = try levels(before, after)
    #expect(levels[0].areBetween, "\(levels[0])")
  }

  @Test(arguments: 0..<150)
  func `graphs of gains are never louder than both the old and the new one`(_ seed: Int) throws {
    var random = SplitMix(state: UInt64(seed) &* 17 &+ 5)
    var before = MortalChain.random(&random, of: MortalUnit.gains)
    var after = before
    for _ in 0...random.below(4) { after.mutate(&random) }
    before.calm()
    after.calm()
    guard (try? after.build()) != nil else { return }
    let (levels, _) = try levels(before, after)
    for level in levels {
      #expect(level.most <= max(level.before, level.after) * 1.122, "\(level)")
    }
  }
}

extension MortalChain {
  /// Without loops, which have no level, and without values, which move by themselves.
  fileprivate mutating func calm() {
    ways.removeAll { $0.feedback != nil }
    for index in units.indices { units[index].wet = nil }
  }
}
