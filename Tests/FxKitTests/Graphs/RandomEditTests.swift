import FxKit
import Testing

/// No order of changes traps, and what is written can be read.
struct RandomEditTests {
  private static let ids = [
    "a", "b", "mix", "eq", "", "two words", "a:b", "a.b", "/", "~", "ü", "nodes",
  ]

  @Test(arguments: 0..<60)
  func `random changes end in a chain or in messages`(_ seed: UInt64) throws {
    var random = SplitMix(state: seed)
    var graph = ChainGraph()
    if seed % 3 == 0 { graph = ChainGraph { for _ in 0..<3 { Gain() } } }
    for _ in 0..<40 { change(&graph, &random) }
    let found = Chain(graph).check()
    for diagnostic in found { #expect(!diagnostic.description.isEmpty) }
    // Two nodes of one id in a list are written; everything else that is written is read again.
    let again = try ChainGraph(json: graph.json)
    #expect(again.json == graph.json)
  }

  private func change(_ graph: inout ChainGraph, _ random: inout SplitMix) {
    let first = Self.ids.randomElement(using: &random) ?? ""
    let second = Self.ids.randomElement(using: &random) ?? ""
    switch Int.random(in: 0..<12, using: &random) {
    case 0: graph.add(Gain(id: first, gain: .decibels(.random(in: -90...90, using: &random))))
    case 1: graph.add(Mixer(id: first, strips: [.init(second, gain: .silence), .init(second)]))
    case 2: graph.add(Equalizer(bands: [.init(id: second, frequency: .hertz(.nan)), .init()]))
    case 3: graph.connect(first, to: second, gain: -3, delay: .beats(1), feedback: true, id: first)
    case 4: graph.connect(first, second, first)
    case 5: graph.insert(Reverb(), between: first, and: second)
    case 6: graph.remove(first, joins: Bool.random(using: &random))
    case 7: graph.replace(first, with: Input(second))
    case 8: graph[first] = Bool.random(using: &random) ? nil : Node(unit: second)
    case 9: graph[ParameterReference<Level>(path: "\(first).strips.\(second).gain")] = 3
    case 10: graph.disconnect(first, from: second)
    default:
      graph.automate(
        ParameterReference<Ratio>(node: first, parameter: "wet"), [.init(0, .init(.nan))])
      graph.expose(second, ParameterReference<Ratio>(path: first), range: (0, 1))
      graph[key: second] = [.number(.infinity), .null]
    }
  }
}

/// Random numbers that are the same in every run.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
