package import FxAudio

/// An equalizer file that a node has read.
struct EqualizerSource {
  let document: EqualizerDocument
  package fileprivate(set) var text: EqualizerText
  let path: String
  /// Where the chain names the file.
  let place: Place

  /// A message about one line of the file, at the place where the chain names it.
  package func diagnostic(_ code: DiagnosticCode, _ remark: EqualizerRemark) -> Diagnostic {
    Diagnostic(code, "'\(path)', line \(remark.line): \(remark.message)", at: place)
  }
}

/// Bands that a node reads from an equalizer file of another program.
extension GraphBuilder {
  /// Reads the node's equalizer file, and adds its bands before those in the chain.
  func readEqualizer(_ draft: NodeBuilder, _ facts: UnitFacts, _ list: ListSpec) {
    guard
      let option = facts.spec.options.first(where: { $0.kind == .equalizerFile }),
      let extra = draft.document?.extras.first(where: { $0.key.value == option.key }),
      case .value(.text(let name)) = extra.content, !name.isEmpty
    else { return }
    let path = ChainFile.path(name, relativeTo: draft.scope.document.path)
    let bytes: [UInt8]
    do throws(Failure) {
      bytes = try files.read(path)
    } catch {
      report(.unreadableFile, "'\(path)' cannot be read: \(error.message)", extra.place)
      return
    }
    guard let document = EqualizerDocument(bytes) else {
      report(
        .invalidValue, "'\(path)' is not a text", extra.place,
        hints: ["the file of an equalizer is a text in UTF-8 or UTF-16"])
      return
    }
    // The rate is not known yet.
    let text = EqualizerText(document, sampleRate: environment.fallbackSampleRate)
    let source = EqualizerSource(document: document, text: text, path: path, place: extra.place)
    var mistakes = text.mistakes
    if let most = list.maximumCount, text.bands.count > most {
      mistakes.append(
        EqualizerRemark(
          line: text.bands[most].line,
          message: "an equalizer has at most \(most) \(list.key), the file has \(text.bands.count)")
      )
    }
    for mistake in mistakes { diagnostics.add(source.diagnostic(.invalidValue, mistake)) }
    for note in text.notes { diagnostics.add(source.diagnostic(.unusedLine, note)) }
    guard mistakes.isEmpty else { return }
    guard !text.isEmpty else {
      report(
        .invalidValue, "'\(path)' has no filter that an equalizer knows", extra.place,
        hints: ["a line is written: Filter: ON PK Fc 100 Hz Gain 3 dB Q 1.4"])
      return
    }
    draft.equalizer = source
    for band in text.bands {
      addItem(nil, to: draft, list)
      draft.declaredItems.append(item(band, extra.place))
    }
  }

  /// Designs the bands of the node's equalizer file for the sample rate, which is now known.
  func placeEqualizer(_ draft: NodeBuilder, _ facts: UnitFacts) {
    guard let source = draft.equalizer, let list = facts.spec.list else { return }
    var text = EqualizerText(
      source.document, sampleRate: context.sampleRate ?? environment.fallbackSampleRate)
    for mistake in text.limit(to: facts.spec, list) {
      diagnostics.add(source.diagnostic(.invalidValue, mistake))
    }
    draft.equalizer?.text = text
    for (index, band) in text.bands.enumerated() where draft.declaredItems.indices.contains(index) {
      draft.declaredItems[index] = item(band, source.place)
    }
  }

  private func item(_ band: EqualizerText.Band, _ place: Place) -> ItemDocument {
    func value(_ name: String, _ value: RawValue) -> NamedValue {
      NamedValue(
        name: Located(value: name, place: place), value: Located(value: value, place: place))
    }
    var values = [
      value("type", .text(band.type)), value("channels", .text(band.channels.option)),
    ]
    if let frequency = band.frequency { values.append(value("frequency", .number(frequency))) }
    if let q = band.q { values.append(value("q", .number(q))) }
    if band.order != 2 { values.append(value("order", .number(Double(band.order)))) }
    if band.gain != 0 { values.append(value("gain", .number(band.gain))) }
    return ItemDocument(id: nil, values: values, place: place)
  }

  /// Sets the preamp and the curve of the file, if the chain does not set them.
  func configureEqualizer(_ draft: NodeBuilder, _ facts: UnitFacts) {
    guard let source = draft.equalizer, let node = draft.document else { return }
    let text = source.text
    func noteUnused(_ lines: [Int], _ name: String) {
      for line in lines {
        let message = "the line is not used: the chain has its own '\(name)'"
        diagnostics.add(
          source.diagnostic(.unusedLine, EqualizerRemark(line: line, message: message)))
      }
    }
    if draft.options["curve"] == .text("") {
      draft.options["curve"] = .text(text.curve)
      let isGiven = node.extras.contains { $0.key.value == "curveLength" }
      if !text.curve.isEmpty, !isGiven { draft.options["curveLength"] = .text("long") }
    } else {
      noteUnused(text.curveLines, "curve")
    }
    guard let preamp = text.preamp, let slot = facts.parameterIndex["gain"] else { return }
    if node.parameters.contains(where: { $0.name.value == "gain" }) {
      noteUnused(text.preampLines, "gain")
    }
    setValue(draft, slot, .number(preamp), source.place)
  }
}

extension EqualizerText {
  /// Removes values that the unit does not allow; returns what is to be said about them.
  fileprivate mutating func limit(to spec: UnitSpec, _ list: ListSpec) -> [EqualizerRemark] {
    var mistakes: [EqualizerRemark] = []
    func isAllowed(_ value: Double, _ specs: [ParameterSpec], _ id: String, _ line: Int) -> Bool {
      guard let spec = specs.first(where: { $0.id == id }), !spec.range.contains(value) else {
        return true
      }
      mistakes.append(
        EqualizerRemark(
          line: line,
          message: "\(id) \(shortNumber(value)) is outside "
            + rangeText(spec.range, measure: spec.measure)))
      return false
    }
    change { band in
      if let frequency = band.frequency,
        !isAllowed(frequency, list.parameters, "frequency", band.line)
      {
        band.frequency = nil
      }
      if let q = band.q, !isAllowed(q, list.parameters, "q", band.line) { band.q = nil }
      if !isAllowed(band.gain, list.parameters, "gain", band.line) { band.gain = 0 }
    }
    if let preamp, let line = preampLines.last,
      !isAllowed(preamp, spec.parameters, "gain", line)
    {
      dropPreamp()
    }
    return mistakes
  }
}

extension BuiltChain {
  /// A note for each line of an equalizer file whose channels are not in the signal of its node.
  package func equalizerNotes(_ node: Int, _ layout: ChannelLayout) -> [Diagnostic] {
    guard let source = equalizers[node] else { return [] }
    return source.text.scoped.flatMap { line, channels -> [Diagnostic] in
      let labels = channels.map(\.label)
      guard let selection = ChannelSelection(labels.joined(separator: " ")) else { return [] }
      let (found, missing) = selection.resolved(in: layout)
      return missing.map { entry in
        let message =
          found.isEmpty
          ? "the line is not used: a \(layout) signal has no channel \(entry.member.label)"
          : "the line is not used for the channel \(entry.member.label), which a \(layout) signal has not"
        return source.diagnostic(.unusedLine, EqualizerRemark(line: line, message: message))
      }
    }
  }
}
