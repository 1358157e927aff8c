import FxChain
import FxKit

/// Reads a configuration of jconvolver, or of a convolver that has its commands.
///
/// Source: the commands as docs/import/jconvolver.md names them.
struct JconvolverImport {
  /// An impulse from an input to an output, both from 1.
  private struct Impulse {
    let source: SourceValue
    let input: Int
    let output: Int
    let gain: Double
    /// Frames.
    let delay: Double
    /// The file and its channel; nil for a single sample.
    let file: (name: String, channel: Int)?
  }

  private(set) var lines: [SourceValue] = []
  private(set) var graph = ChainGraph()
  private let importing: Importing
  private var inputs = 0
  private var outputs = 0
  private var folder = ""
  private var impulses: [Impulse] = []
  /// Impulses that an input and an output share with others.
  private var copies: [(source: SourceValue, input: Int, output: Int, from: (Double, Double))] = []

  init(_ text: String, _ importing: Importing) {
    self.importing = importing
    let texts = text.split(omittingEmptySubsequences: false) {
      $0 == "\n" || $0 == "\r\n" || $0 == "\r"
    }
    for (index, text) in texts.enumerated() {
      let words = EffectWords.split(String(text.prefix { $0 != "#" }))
      guard !words.isEmpty else { continue }
      let source = SourceValue(.scalar(words[0]), line: index + 1, path: String(text).trimmed)
      lines.append(source)
      read(words, source)
      source.settle()
    }
    build()
  }

  // MARK: Lines

  private mutating func read(_ words: [String], _ source: SourceValue) {
    let numbers = words.dropFirst().map { Double($0) }
    switch words[0] {
    case "/convolver/new": begin(numbers, source)
    case "/cd":
      let path = words.dropFirst().joined(separator: " ")
      folder = path.isEmpty || path.hasSuffix("/") ? path : path + "/"
    case "/jack/client", "/jack/server":
      source.turn(.translated("left out: the chain does not depend on JACK"))
    case "/input/name", "/output/name":
      source.turn(.translated("left out: fxrun has no names of channels here"))
    case "/impulse/read":
      guard words.count >= 9, let place = place(numbers), let gain = numbers[2],
        let delay = numbers[3], let offset = numbers[4], let length = numbers[5],
        let channel = Int(words[7]), channel > 0
      else { return refuse(source, "it needs in out gain delay offset length channel file") }
      guard offset == 0, length == 0 else {
        return refuse(source, "fxrun takes impulses as a whole: offset and length are 0")
      }
      let name = words[8...].joined(separator: " ")
      add(source, place, gain, delay, (name.hasPrefix("/") ? name : folder + name, channel))
    case "/impulse/dirac":
      guard words.count >= 5, let place = place(numbers), let gain = numbers[2],
        let delay = numbers[3]
      else { return refuse(source, "it needs in out gain delay") }
      add(source, place, gain, delay, nil)
    case "/impulse/copy":
      guard words.count >= 5, let place = place(numbers), let from = numbers[2], let to = numbers[3]
      else { return refuse(source, "it needs in out in out") }
      copies.append((source, place.input, place.output, (from, to)))
    default: refuse(source, "fxrun has no '\(words[0])'")
    }
  }

  private func refuse(_ source: SourceValue, _ reason: String) {
    source.turn(.notPossible(reason))
  }

  private mutating func begin(_ numbers: [Double?], _ source: SourceValue) {
    guard numbers.count >= 2, let inputs = numbers[0], let outputs = numbers[1],
      (1...32).contains(inputs), (1...32).contains(outputs)
    else { return refuse(source, "fxrun takes 1 to 32 inputs and outputs") }
    (self.inputs, self.outputs) = (Int(inputs), Int(outputs))
    source.turn(.translated("the sizes of blocks and impulses are fxrun's own"))
  }

  /// The channels of an impulse; nil for some that the convolver does not have.
  private func place(_ numbers: [Double?]) -> (input: Int, output: Int)? {
    guard numbers.count >= 2, let input = numbers[0].flatMap({ Int(exactly: $0) }),
      let output = numbers[1].flatMap({ Int(exactly: $0) }), (1...max(inputs, 1)).contains(input),
      (1...max(outputs, 1)).contains(output)
    else { return nil }
    return (input, output)
  }

  private mutating func add(
    _ source: SourceValue, _ place: (input: Int, output: Int), _ gain: Double, _ delay: Double,
    _ file: (name: String, channel: Int)?
  ) {
    guard gain.isFinite, (0...1e9).contains(delay) else {
      return refuse(source, "a gain is a number and a delay 0 frames or more")
    }
    impulses.append(
      Impulse(
        source: source, input: place.input, output: place.output, gain: gain, delay: delay,
        file: file))
  }

  // MARK: Graph

  private mutating func build() {
    guard inputs > 0 else {
      graph = ChainGraph {}
      return
    }
    // Lines after a copy change it too.
    for copy in copies {
      let copied = impulses.filter {
        Double($0.input) == copy.from.0 && Double($0.output) == copy.from.1
      }
      if copied.isEmpty { refuse(copy.source, "no line has this impulse") }
      for impulse in copied {
        add(copy.source, (copy.input, copy.output), impulse.gain, impulse.delay, impulse.file)
      }
    }
    graph.channels = inputs
    let start = graph.add(Input(id: "in")).end
    let join = graph.add(Mixer(id: importing.id("join"), channels: outputs)).end
    for impulse in impulses where impulse.gain != 0 {
      let nodes = nodes(of: impulse)
      if let mistake = nodes.compactMap({ importing.mistake(of: $0, channels: 1) }).first {
        refuse(impulse.source, mistake)
        continue
      }
      var end = start
      for (index, node) in nodes.enumerated() {
        let next = graph.add(node.comment("jconvolver: line \(impulse.source.line)")).end
        graph.connect(end, to: next, channels: index == 0 ? [impulse.input] : nil)
        end = next
      }
      graph.connect(end, join)
    }
    graph.connect(join, to: graph.add(Output.main(channels: inputs == outputs ? nil : outputs)))
  }

  /// The impulse, and a matrix that leads it to its output.
  private func nodes(of impulse: Impulse) -> [Node] {
    var nodes: [Node] = []
    if let file = impulse.file {
      nodes.append(
        Convolver(
          id: importing.id("impulse"), impulse: importing.file(file.name),
          channels: [file.channel]
        ).node)
    }
    if impulse.delay > 0 {
      nodes.append(Align(id: importing.id("delay"), frames: Int(impulse.delay)).node)
    }
    let level = rounded(decibels(abs(impulse.gain)))
    let route = Matrix.Route(
      from: 1, to: impulse.output, gain: level == 0 ? nil : .decibels(level),
      invert: impulse.gain < 0 ? true : nil)
    nodes.append(Matrix(id: importing.id("place"), channels: outputs, routes: [route]).node)
    return nodes
  }
}
