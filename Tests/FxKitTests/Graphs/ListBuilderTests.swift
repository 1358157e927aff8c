import FxKit
import Testing

/// Lists of nodes, built from statements.
struct ListBuilderTests {
  private func units(_ graph: ChainGraph) -> [String?] { graph.nodes.map(\.unit) }

  @Test func `a list holds its nodes in their order`() {
    let graph = ChainGraph {
      Input()
      HighPass(frequency: .hertz(80))
      Gain(gain: -3)
      Output()
    }
    #expect(units(graph) == [nil, "highPass", "gain", nil])
    #expect(Chain(graph).check() == [])
  }

  @Test(arguments: [true, false])
  func `conditions choose nodes`(_ isLoud: Bool) {
    let extra: Reverb? = isLoud ? Reverb() : nil
    let graph = ChainGraph {
      if isLoud { Limiter(ceiling: -1) }
      if isLoud {
        Gain(gain: 3)
      } else {
        Gain(gain: -3)
        Meter()
      }
      switch isLoud {
      case true: Pan(pan: 0.5)
      case false: Width(width: 0)
      }
      if let extra { extra }
    }
    #expect(
      units(graph)
        == (isLoud ? ["limiter", "gain", "pan", "reverb"] : ["gain", "meter", "width"]))
  }

  @Test func `loops repeat nodes`() {
    let graph = ChainGraph {
      for frequency in [50.0, 100, 150] { Notch(frequency: .hertz(frequency)) }
    }
    #expect(graph.nodes.map { $0[parameter: "frequency"] } == ["50 Hz", "100 Hz", "150 Hz"])
    #expect(Chain(graph).check() == [])
  }

  @Test func `a list of any nodes is added as a whole`() {
    let front: [any ChainNode] = [HighPass(), Gate()]
    let graph = ChainGraph {
      front
      Node(unit: "gain", parameters: ["gain": "-6 dB"])
    }
    #expect(units(graph) == ["highPass", "gate", "gain"])
  }

  @Test func `an empty list changes nothing`() throws {
    #expect(try plan(Chain {}) == plan(.empty))
  }

  @Test func `a typed list is the chain of its JSON`() throws {
    let typed = Chain {
      HighPass(frequency: .hertz(80))
      Equalizer(bands: [
        .init(id: "presence", type: .peak, frequency: .kilohertz(3.2), gain: 2, q: 0.9),
        .init(type: .highShelf, frequency: 10000, gain: -1.5),
      ])
      Compressor(id: "comp", threshold: -18, ratio: 4, attack: .milliseconds(5))
      Limiter(ceiling: .decibels(-1))
    }
    let written = Chain(
      json: """
        { "version": 2, "chain": [
          { "unit": "highPass", "parameters": { "frequency": "80 Hz" } },
          { "unit": "equalizer", "bands": [
              { "id": "presence", "type": "peak", "frequency": "3.2 kHz", "gain": "2 dB", "q": 0.9 },
              { "type": "highShelf", "frequency": 10000, "gain": -1.5 } ] },
          { "id": "comp", "unit": "compressor",
            "parameters": { "threshold": "-18 dB", "ratio": 4, "attack": "5 ms" } },
          { "unit": "limiter", "parameters": { "ceiling": "-1 dB" } } ] }
        """)
    #expect(try plan(typed) == plan(written))
  }
}
