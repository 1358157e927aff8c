import FxNodes

extension BruteFIRImport {
  /// The nodes of a filter's coefficients; none for one that changes nothing.
  func coefficients(of filter: BruteFIRFilter) -> [Node] {
    let delay = max(filter.delay, 0)
    guard delay < max(blockCount, 1) || delay == 0 else {
      filter.refuse("delay", "a delay is less than the \(blockCount) blocks of a filter")
      return []
    }
    var nodes: [Node] = []
    if let name = filter.coefficients {
      guard let section = section(coefficients: name) else {
        filter.refuse("coeff", "no coefficients '\(name)'")
        return []
      }
      guard let made = convolver(section, length: (blockCount - delay) * blockLength) else {
        return []
      }
      nodes = made
    }
    if delay > 0 {
      nodes.append(Align(id: importing.id("delay"), frames: delay * blockLength).node)
    }
    for node in nodes {
      if let mistake = importing.mistake(of: node, channels: 1) {
        filter.refuse("coeff", mistake)
        return []
      }
    }
    return nodes
  }

  private func section(coefficients name: String) -> BruteFIRParser.Section? {
    let structures = sections.filter { $0.kind == "coeff" }
    return structures.first { $0.names.first == name }
      ?? Int(name).flatMap { structures.indices.contains($0) ? structures[$0] : nil }
  }

  /// - Parameter length: the coefficients that have a place in the filter.
  /// - Returns: nil for coefficients that are not possible.
  private func convolver(_ section: BruteFIRParser.Section, length: Int) -> [Node]? {
    let source = section.source
    settle(section, .translated)
    guard let name = source["filename"]?.text, name.hasPrefix("\"") else {
      source.turn(.notPossible("it needs the name of a file"))
      return nil
    }
    let attenuation = source["attenuation"]?.number ?? 0
    let level =
      attenuation == 0
      ? [] : [Gain(id: importing.id("level"), gain: .decibels(-attenuation)).node]
    let plain = BruteFIRParser.unquoted(name)
    let id = importing.id(section.names.first.map { "coeff \($0)" } ?? "coeff")
    guard plain != "dirac pulse" else { return level }
    guard var file = CoefficientFile(bruteFIR: plain, format: source["format"]?.text) else {
      source["format"]?.turn(.notPossible("fxrun does not know this format of coefficients"))
      return nil
    }
    let blocks = source["blocks"]?.integer ?? -1
    file.limit = blocks > 0 ? min(length, blocks * blockLength) : length
    file.skipped = max(source["skip"]?.integer ?? 0, 0)
    guard let impulse = file.imported(importing, id: id) else {
      source["filename"]?.turn(.notPossible("it cannot be read as coefficients"))
      return nil
    }
    return [Convolver(id: id, impulse: impulse).node] + level
  }

  func settle(_ coefficients: BruteFIRParser.Section, _ outcome: ImportOutcome) {
    for key in ["filename", "format", "attenuation", "blocks", "skip", "shared_mem"] {
      coefficients.source[key]?.settle(outcome)
    }
  }
}
