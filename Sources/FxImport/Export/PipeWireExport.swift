import Glibc

/// Writes a filter-chain of PipeWire with nodes for each channel.
struct PipeWireExport {
  private let reader: ExportReader
  private var nodes: [String] = []
  private var links: [String] = []
  /// The output at the end of each channel; nil while the channel has no node.
  private var ends: [String?]
  /// The input at the beginning of each channel.
  private var starts: [String?]

  init(_ reader: ExportReader) {
    self.reader = reader
    ends = Array(repeating: nil, count: reader.width)
    starts = ends
    for part in reader.parts {
      for (index, entry) in part.steps.enumerated() {
        let name = part.steps.count == 1 ? part.id : "\(part.id)-\(index + 1)"
        add(entry.step, name, part, entry.channels ?? Array(0..<ends.count))
      }
    }
    for channel in ends.indices where ends[channel] == nil {
      append("copy", "", "through", channel)
    }
  }

  func text() -> String {
    let quoted = { (ports: [String?]) in
      ports.compactMap { $0 }.map { "\"\($0)\"" }.joined(separator: " ")
    }
    return """
      # From \(reader.path)
      context.modules = [
        { name = libpipewire-module-filter-chain
          args = {
            node.description = "fxrun"
            media.name = "fxrun"
            filter.graph = {
              nodes = [
      \(nodes.map { "          \($0)" }.joined(separator: "\n"))
              ]
              links = [
      \(links.map { "          \($0)" }.joined(separator: "\n"))
              ]
              inputs = [ \(quoted(starts)) ]
              outputs = [ \(quoted(ends)) ]
            }
            audio.rate = \(Int(reader.sampleRate))
            capture.props = { node.name = "effect_input.fxrun" media.class = Audio/Sink audio.channels = \(starts.count) }
            playback.props = { node.name = "effect_output.fxrun" node.passive = true audio.channels = \(ends.count) }
          }
        }
      ]

      """
  }

  // MARK: Nodes

  /// Adds a node at the end of a channel.
  private mutating func append(
    _ label: String, _ values: String, _ name: String, _ channel: Int, input: String = "In"
  ) {
    let id = "\(name)_\(channel + 1)"
    nodes.append("{ type = builtin name = \"\(id)\" label = \(label) \(values) }")
    if let end = ends[channel] {
      links.append("{ output = \"\(end)\" input = \"\(id):\(input)\" }")
    } else if starts.indices.contains(channel) {
      starts[channel] = "\(id):\(input)"
    }
    ends[channel] = "\(id):Out"
  }

  private mutating func add(
    _ step: ExportStep, _ name: String, _ part: ExportReader.Part, _ channels: [Int]
  ) {
    switch step {
    case .filter(let filter):
      for (index, section) in filter.sections.enumerated() {
        let id = filter.sections.count == 1 ? name : "\(name)-\(index + 1)"
        for channel in channels { add(section, id, channel) }
      }
    case .gain(let level, let isInverted):
      let factor = (isInverted ? -1 : 1) * (level < -200 ? 0 : factor(decibels: level))
      for channel in channels {
        append("mixer", "control = { \"Gain 1\" = \(factor) }", name, channel, input: "In 1")
      }
    case .delay(let seconds):
      for channel in channels {
        append(
          "delay",
          "config = { \"max-delay\" = \(seconds + 0.01) } control = { \"Delay (s)\" = \(seconds) }",
          name, channel)
      }
    case .impulse(let file, let gain):
      for channel in channels {
        append(
          "convolver",
          "config = { filename = \"\(file)\" gain = \(factor(decibels: gain)) channel = \(channel) }",
          name, channel)
      }
      part.source.turn(.translated("each channel takes the channel of the file with its number"))
    case .section(let section): for channel in channels { add(section, name, channel) }
    case .routes(let outputs): mix(outputs, name)
    case .curve, .compressor, .limiter: part.refuse(step, "PipeWire")
    }
  }

  private mutating func add(_ filter: ExportFilter, _ name: String, _ channel: Int) {
    let hasGain = [.peak, .lowShelf, .highShelf].contains(filter.kind)
    var quality: Double? = filter.q
    if filter.kind == .lowPass || filter.kind == .highPass {
      quality = Self.resonance(q: filter.q)
    }
    guard filter.order == 2, let quality else {
      return add(Cookbook.coefficients(filter, sampleRate: reader.sampleRate), name, channel)
    }
    let gain = hasGain ? " \"Gain\" = \(plain(filter.gain))" : ""
    append(
      "bq_\(filter.kind.rawValue.lowercased())".replacing("bq_peak", with: "bq_peaking"),
      "control = { \"Freq\" = \(plain(filter.frequency)) \"Q\" = \(plain(quality))\(gain) }", name,
      channel)
  }

  /// The resonance in decibels that PipeWire takes for the Q of a pass; nil for a Q that it cannot have.
  private static func resonance(q: Double) -> Double? {
    let y = 4 - 2 / (q * q)
    guard q > 0.71, y >= 0, y < 4 else { return nil }
    return decibels((16 / (16 - y * y)).squareRoot())
  }

  private mutating func add(_ section: Coefficients, _ name: String, _ channel: Int) {
    let numbers = [("b", section.b), ("a", section.a)].flatMap { side, numbers in
      (0..<3).map { "\(side)\($0) = \(numbers.indices.contains($0) ? numbers[$0] : 0)" }
    }
    append(
      "bq_raw",
      "config = { coefficients = [ { rate = \(Int(reader.sampleRate)), \(numbers.joined(separator: ", ")) } ] }",
      name, channel)
  }

  /// A mixer for each output, behind a copy of each input.
  private mutating func mix(_ outputs: [[(channel: Int, factor: Double)]], _ name: String) {
    for channel in ends.indices { append("copy", "", "\(name)-in", channel) }
    let sources = ends
    ends = Array(repeating: nil, count: outputs.count)
    for (index, routes) in outputs.enumerated() {
      let id = "\(name)_\(index + 1)"
      let gains = routes.enumerated().map { "\"Gain \($0 + 1)\" = \($1.factor)" }
      nodes.append(
        "{ type = builtin name = \"\(id)\" label = mixer control = { \(gains.joined(separator: " ")) } }"
      )
      for (number, route) in routes.enumerated() {
        guard let source = sources[route.channel] else { continue }
        links.append("{ output = \"\(source)\" input = \"\(id):In \(number + 1)\" }")
      }
      ends[index] = "\(id):Out"
    }
  }
}
