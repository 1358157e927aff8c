import FxAudio
import FxChain
import FxEngine

extension Chain {
  /// Combines this chain and another one on the same input. One of them is heard, at first this
  /// one.
  ///
  /// Both run, and the one with less latency is delayed to match the other. Nodes are called `a/…`
  /// and `b/…`. The settings (`sampleRate`, `tempo`, `tail` …) are this chain's.
  ///
  /// - Throws: `ChainFailure` if one of them does not have exactly one input and one output.
  public func compared(with other: Chain) throws(ChainFailure) -> Chain {
    for chain in [self, other] { try chain.checkEnds() }
    let text = ChainComparison.text(
      settingsOf: bytes, path: path, using: (a: path, b: other.path), variables: variables)
    guard let text else { throw ChainFailure(checked(sampleRate: 48000, channels: 2)) }
    return Chain(comparing: text, path: "a and b", units: units + other.units)
  }

  /// Refuses a chain without exactly one input and one output.
  private func checkEnds() throws(ChainFailure) {
    let outline = try outline(.check())
    let sources = outline.plan.sources.map(outline.endpoint(ofSource:))
    let sinks = outline.plan.sinks.map(outline.endpoint(ofSink:))
    let isPlain = sources == [.input("main")] && sinks == [.output("main")]
    guard isPlain else {
      throw ChainFailure(
        .request, code: .notComparable,
        "\(path): two chains are compared where each has one input and one output that it leaves "
          + "to the command line; this one has \(sources.count) and \(sinks.count)", path: path)
    }
  }
}

extension ChainComparison {
  /// The crossfade from one chain to the other, in seconds.
  static let crossfade = 0.02

  static func mute(_ side: LiveSide) -> String { "\(node).strips.\(side.rawValue).mute" }
}
