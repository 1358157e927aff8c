import FxAudio

/// Reorders the channels of a sound for another layout, by their names.
///
/// A channel goes to the output channel of the same name. Output channels without one are silent;
/// input channels without one are dropped. `map` overrides this. Nothing is mixed: `downmix` does
/// that.
struct ChannelMap: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "channelMap", name: "Channel map",
    summary: "Brings channels into another layout by their names; nothing is mixed.",
    category: "channels",
    options: [
      OptionSpec(
        "to", "The layout of the output.", .choice(ChannelLayout.named.map(\.name)), default: nil),
      OptionSpec(
        "map",
        "Channels that come from elsewhere, such as FL=FR; FR=FL; LFE=none: a channel of the output, and a "
          + "channel of the input by name or number, or none.", .text, default: .text("")),
    ],
    outputs: [OutputBusSpec("out", width: .option("to"), layout: .option("to"))],
    rendersInPlace: false)

  package struct Parameters: BitwiseCopyable {}

  package static let entry = UnitEntry(
    render: { $0.kernel(ChannelMap.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(ChannelMap.self)?.pointee.reset() })

  private let outputCount: Int
  /// For each output channel, its input channel; negative for silence.
  private let sources: UnsafeMutablePointer<Int>

  package init(_ preparation: Preparation) throws(Failure) {
    let found = try Self.sources(preparation)
    outputCount = found.count
    sources = .allocate(capacity: max(1, outputCount))
    for (index, source) in found.enumerated() { (sources + index).initialize(to: source) }
  }

  deinit { sources.deallocate() }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    UnitTraits(
      memory: max(1, preparation.outputWidths.first ?? 0) * MemoryLayout<Int>.stride)
  }

  // MARK: The map

  package static func check(_ preparation: Preparation) throws(Failure) {
    _ = try entries(preparation)
  }

  private static func layout(_ preparation: Preparation) throws(Failure) -> ChannelLayout {
    guard let layout = preparation.text("to").flatMap({ ChannelLayout(named: $0) }) else {
      throw Failure(.usage, "'to' has to name a layout")
    }
    return layout
  }

  /// The entries of `map`: an output channel, and the name or number of its input channel.
  private static func entries(
    _ preparation: Preparation
  ) throws(Failure) -> [(output: Int, word: String)] {
    let layout = try layout(preparation)
    var entries: [(output: Int, word: String)] = []
    for entry in (preparation.text("map") ?? "").split(separator: ";")
    where !entry.allSatisfy({ $0 == " " }) {
      let words = entry.split(separator: "=", omittingEmptySubsequences: false)
        .map { $0.filter { $0 != " " } }
      guard words.count == 2, !words.contains("") else {
        throw Failure(
          .usage, "'map' has entries such as FL=FR, separated by ';', and not '\(entry)'")
      }
      let name = words[0].uppercased()
      guard let output = layout.channels.firstIndex(where: { $0.label == name }) else {
        throw Failure(
          .usage,
          "\(layout) has no channel '\(words[0])': it has \(labels(layout.channels))")
      }
      if entries.contains(where: { $0.output == output }) {
        throw Failure(.usage, "'map' sets '\(name)' twice")
      }
      entries.append((output, words[1]))
    }
    return entries
  }

  private static func sources(_ preparation: Preparation) throws(Failure) -> [Int] {
    let layout = try layout(preparation)
    let inputs = preparation.layout.isNamed ? preparation.layout.channels : []
    var sources = layout.channels.map { inputs.firstIndex(of: $0) ?? -1 }
    for entry in try entries(preparation) {
      sources[entry.output] = try source(entry.word, inputs, preparation.channelCount)
    }
    guard sources.contains(where: { $0 >= 0 }) else {
      throw Failure(
        .usage,
        inputs.isEmpty
          ? "the input channels have no names: 'map' has to give them by number, such as FL=1"
          : "nothing of \(labels(inputs)) has a place in \(layout): 'map' has to assign the channels"
      )
    }
    return sources
  }

  private static func source(
    _ word: String, _ inputs: [ChannelName], _ count: Int
  ) throws(Failure) -> Int {
    if word.lowercased() == "none" { return -1 }
    if let number = Int(word) {
      guard (1...max(count, 1)).contains(number) else {
        throw Failure(.usage, "there is no channel \(number): \(count) arrive")
      }
      return number - 1
    }
    guard let index = inputs.firstIndex(where: { $0.label == word.uppercased() }) else {
      let known = inputs.isEmpty ? "numbers, for they have no names" : labels(inputs)
      throw Failure(.usage, "no channel '\(word)' arrives: \(known)")
    }
    return index
  }

  private static func labels(_ channels: [ChannelName]) -> String {
    channels.map(\.label).joined(separator: ", ")
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    for channel in 0..<outputCount {
      let output = block.outputs[channel]
      if sources[channel] >= 0 {
        output.update(copying: block.inputs[sources[channel]], count: block.frameCount)
      } else {
        output.update(repeating: 0, count: block.frameCount)
      }
    }
  }

  @_noLocks
  package mutating func reset() {}
}
