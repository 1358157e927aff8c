import FxEngine

/// Connections, exposed names and automation of a chain file.
extension ChainReader {
  /// Connections to nodes, connections to parameters, and the gains named by connections.
  mutating func connections(
    _ list: JSONValue?
  ) -> (
    signals: [ConnectionDocument], modulations: [ModulationDocument], gains: [NodeDocument]
  ) {
    var connections: [ConnectionDocument] = []
    var modulations: [ModulationDocument] = []
    var gains: [NodeDocument] = []
    for element in list?.elements ?? [] {
      switch element.kind {
      case .string: connections += arrows(element, &modulations)
      case .object:
        if let fields = fields(element, ChainFormat.connection) {
          if fields["to"]?.string?.contains(".") == true {
            if let modulation = modulation(element, fields) { modulations.append(modulation) }
          } else if let connection = connection(element, fields) {
            if let gain = gain(named: fields["id"], of: connection) {
              gains.append(gain)
              connections += connection.divided(by: gain)
            } else {
              connections.append(connection)
            }
          }
        }
      default:
        report(
          .wrongType, "a connection is a string or an object, not \(element.kindName)",
          element.place, hints: ["such as \"voice -> mix\""])
      }
    }
    return (connections, modulations, gains)
  }

  /// Adds the gains named by connections, each under its own name.
  mutating func add(_ gains: [NodeDocument], to document: inout ChainDocument) {
    var names = Set(document.nodes.compactMap(\.id))
    for gain in gains {
      guard let id = gain.id else { continue }
      if names.insert(id).inserted {
        document.nodes.append(gain)
      } else {
        report(.duplicateName, "a node or a connection is called '\(id)' already", gain.place)
      }
    }
  }

  /// The unit `gain` for a connection with a name.
  private mutating func gain(
    named value: JSONValue?, of connection: ConnectionDocument
  ) -> NodeDocument? {
    guard let value, let id = text(value) else { return nil }
    if !Names.isID(id) { reportName(id, "a connection", value.place) }
    var node = NodeDocument(
      id: id, kind: .unit(name: "gain", revision: nil), place: value.place, kindPlace: value.place)
    if let level = connection.gain {
      let name = Located(value: "gain", place: level.place)
      node.parameters = [NamedValue(name: name, value: level)]
    }
    return node
  }

  /// `"a -> b:port -> c"`, `"lfo -> filter.frequency"`.
  private mutating func arrows(
    _ value: JSONValue, _ modulations: inout [ModulationDocument]
  ) -> [ConnectionDocument] {
    guard let text = value.string else { return [] }
    var ends: [EndDocument?] = []
    var parameter: Located<String>?
    var start = 0
    let bytes = Array(text.utf8)
    for index in 0...bytes.count {
      let isArrow =
        index + 1 < bytes.count && bytes[index] == UInt8(ascii: "-")
        && bytes[index + 1] == UInt8(ascii: ">")
      guard isArrow || index == bytes.count else { continue }
      if !isArrow, !ends.isEmpty, bytes[start..<index].contains(UInt8(ascii: ".")) {
        parameter = trimmed(bytes, start..<index, of: text, at: value.place)
      } else {
        ends.append(end(bytes, start..<index, of: text, at: value.place))
      }
      start = index + 2
    }
    guard ends.count > 1 || parameter != nil else {
      report(
        .invalidConnection, "a connection leads from one node to another", value.place,
        hints: ["such as \"voice -> mix\""])
      return []
    }
    if let parameter, let from = ends.last ?? nil {
      let place = ends.count == 1 ? value.place : parameter.place
      modulations.append(ModulationDocument(from: from, to: parameter, place: place))
    }
    return zip(ends, ends.dropFirst()).enumerated().compactMap { index, pair in
      guard var from = pair.0, let to = pair.1 else { return nil }
      // In the middle of `a -> b:sidechain -> c` the port belongs to the input.
      if index > 0 {
        from.port = nil
        from.index = nil
      }
      let isWhole = ends.count == 2 && parameter == nil
      return ConnectionDocument(from: from, to: to, place: isWhole ? value.place : to.place)
    }
  }

  /// The end of a connection in a key.
  mutating func end(_ fields: Fields, _ key: String) -> EndDocument? {
    guard let value = fields[key], let text = value.string else { return nil }
    let bytes = Array(text.utf8)
    return end(bytes, 0..<bytes.count, of: text, at: value.place)
  }

  /// Whether a connection closes a loop, and its delay.
  mutating func feedback(
    _ fields: Fields, of value: JSONValue
  ) -> (isOn: Located<Bool>?, delay: Located<RawValue>?) {
    let feedback = flag(fields, "feedback")
    let delay = raw(fields["delay"])
    if feedback?.value == true, delay == nil, fields["delay"] == nil {
      report(
        .loopDelay, "a loop's closing connection needs a 'delay'",
        feedback?.place ?? value.place, hints: ["such as \"delay\": \"320 ms\""])
    }
    if let delay, feedback?.value != true {
      report(
        .invalidConnection, "'delay' belongs to a loop; add \"feedback\": true", delay.place,
        hints: ["to delay a signal on its way, use the unit 'delay'"])
    }
    return (feedback, delay)
  }

  private mutating func connection(_ value: JSONValue, _ fields: Fields) -> ConnectionDocument? {
    for key in ChainFormat.depthKeys {
      guard let entry = fields.known.first(where: { $0.name == key.key }) else { continue }
      report(
        .conflictingKeys, "'\(key.key)' belongs to a connection that leads to a parameter",
        entry.key.place, hints: ["\"to\": \"node.parameter\""])
    }
    let from = end(fields, "from")
    let to = end(fields, "to")
    let (feedback, delay) = feedback(fields, of: value)
    guard let from, let to else { return nil }
    var connection = ConnectionDocument(
      from: from, to: to, gain: raw(fields["gain"]), feedback: feedback, delay: delay,
      place: opening(value))
    if let list = fields["channels"] { connection.channels = channels(list) }
    return connection
  }

  private mutating func channels(_ list: JSONValue) -> [Int]? {
    var channels: [Int] = []
    for element in list.elements {
      guard let number = element.number ?? text(element).flatMap({ Double($0) }),
        let channel = Int(exactly: number),
        ChainFormat.channelCounts.contains(channel)
      else {
        report(
          .outOfRange,
          "a channel is a whole number from 1 to \(ChainFormat.channelCounts.upperBound)",
          element.place)
        return nil
      }
      channels.append(channel)
    }
    if channels.isEmpty || channels.count > ChainFormat.channelCounts.upperBound {
      report(
        .outOfRange,
        "'channels' lists 1 to \(ChainFormat.channelCounts.upperBound) channels", list.place)
      return nil
    }
    return channels
  }

  /// One end of a connection, spelled in a range of the string's bytes.
  private mutating func end(
    _ bytes: [UInt8], _ range: Range<Int>, of text: String, at place: Place
  ) -> EndDocument? {
    let trimmed = trimmed(bytes, range, of: text, at: place)
    let (spelling, part) = (trimmed.value, trimmed.place)
    let pieces = spelling.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let node = pieces.first, Names.isPath(node) else {
      report(
        .invalidConnection,
        spelling.isEmpty ? "a node's name is missing" : "'\(spelling)' does not name a node", part,
        hints: ["a connection is written \"a -> b\", a port \"b:port\""])
      return nil
    }
    var end = EndDocument(node: String(node), place: part)
    guard pieces.count == 2 else { return end }
    var port = pieces[1]
    if port.last == "]", let bracket = port.firstIndex(of: "[") {
      let digits = port[port.index(after: bracket)...].dropLast()
      guard let index = Int(digits), index > 0, index <= 4096 else {
        report(
          .invalidConnection, "'\(spelling)': a channel is a number from 1 in brackets", part,
          hints: ["such as \"\(node):in[2]\""])
        return nil
      }
      end.index = index
      port = port[..<bracket]
    }
    guard !port.isEmpty, port.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" })
    else {
      report(
        .invalidConnection, "'\(spelling)' does not name a port", part,
        hints: ["a port is written \"\(node):port\" or \"\(node):in[2]\""])
      return nil
    }
    end.port = String(port)
    return end
  }

  /// A range of a string's bytes without the spaces around it.
  private func trimmed(
    _ bytes: [UInt8], _ range: Range<Int>, of text: String, at place: Place
  ) -> Located<String> {
    var range = range
    while let first = range.first, bytes[first] == 0x20 { range = (first + 1)..<range.upperBound }
    while let last = range.last, bytes[last] == 0x20 { range = range.lowerBound..<last }
    return Located(
      value: String(decoding: bytes[range], as: UTF8.self), place: place.part(range, of: text))
  }

  // MARK: Exposed names

  mutating func exposed(_ object: JSONValue?) -> [ExposedDocument] {
    var exposed: [ExposedDocument] = []
    for (key, value) in object?.members ?? [] {
      guard let name = key.string else { continue }
      if !Names.isID(name) { reportName(name, "a parameter", key.place) }
      let located = Located(value: name, place: key.place)
      if let parameter = self.located(value) {
        exposed.append(ExposedDocument(name: located, parameter: parameter, range: []))
        continue
      }
      guard let fields = fields(value, ChainFormat.exposure),
        let parameter = self.located(fields["parameter"])
      else { continue }
      var range: [Located<RawValue>] = []
      if let list = fields["range"] {
        range = list.elements.compactMap { raw($0) }
        if list.elements.count != 2 {
          report(.wrongType, "'range' is a list of two values", list.place)
          range = []
        }
      }
      exposed.append(ExposedDocument(name: located, parameter: parameter, range: range))
    }
    return exposed
  }

  // MARK: Automation

  mutating func automation(_ value: JSONValue) -> AutomationDocument? {
    guard let fields = fields(value, ChainFormat.automation),
      let list = fields["points"], let parameter = located(fields["parameter"])
    else { return nil }
    if list.elements.isEmpty {
      report(.missingKey, "an automation needs at least one point", list.place)
    }
    let origin = word(fields, "time", of: ChainFormat.automation).flatMap { word in
      AutomationDocument.Origin(rawValue: word.value)
    }
    return AutomationDocument(
      parameter: parameter, points: list.elements.compactMap { point($0) },
      origin: origin ?? .input)
  }

  private mutating func point(_ value: JSONValue) -> AutomationDocument.Point? {
    let parts = value.elements
    guard value.kind == .array, parts.count == 2 || parts.count == 3 else {
      report(
        .wrongType, "a point is [time, value] or [time, value, curve]", value.place,
        hints: ["such as [\"0:10\", \"-24 dB\", \"linear\"]"])
      return nil
    }
    guard let time = raw(parts[0]), let level = raw(parts[1]) else { return nil }
    var point = AutomationDocument.Point(time: time, value: level, curve: nil)
    if parts.count == 3 {
      let word = text(parts[2]) ?? ""
      guard let curve = Automation.Curve(rawValue: word.lowercased()) else {
        let curves = Automation.Curve.allCases.map(\.rawValue)
        report(
          .notAChoice, "a curve cannot be \(parts[2].spelling.prefix(60))", parts[2].place,
          hints: Suggestion.hint(for: word, in: curves)
            + ["one of: \(curves.joined(separator: ", "))"])
        return nil
      }
      point.curve = Located(value: curve, place: parts[2].place)
    }
    return point
  }
}

extension ConnectionDocument {
  /// The connection to the gain that it names, and the connection from there.
  fileprivate func divided(by gain: NodeDocument) -> [ConnectionDocument] {
    guard let id = gain.id else { return [self] }
    var first = self
    first.to = EndDocument(node: id, place: gain.place)
    first.gain = nil
    first.feedback = nil
    first.delay = nil
    var second = self
    second.from = EndDocument(node: id, strip: from.strip ?? from.node, place: gain.place)
    second.gain = nil
    second.channels = nil
    return [first, second]
  }
}
