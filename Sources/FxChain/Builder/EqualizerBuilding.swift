import FxAudio
import FxDiagnostics

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
    do throws(ChainFileError) {
      bytes = try files.read(path)
    } catch {
      report(.unreadableFile, "'\(path)' cannot be read: \(error.message)", extra.place)
      return
    }
    let text = EqualizerText(
      String(decoding: bytes, as: UTF8.self),
      sampleRate: environment.sampleRate ?? environment.fallbackSampleRate)
    for mistake in text.mistakes {
      report(.invalidValue, "'\(path)', line \(mistake.line): \(mistake.message)", extra.place)
    }
    guard text.mistakes.isEmpty else { return }
    guard text.hasFilters || !text.curve.isEmpty || text.preamp != nil else {
      report(
        .invalidValue, "'\(path)' has no filter that an equalizer knows", extra.place,
        hints: ["a line is written: Filter: ON PK Fc 100 Hz Gain 3 dB Q 1.4"])
      return
    }
    draft.equalizer = text
    for band in text.bands {
      addItem(nil, to: draft, list)
      draft.declaredItems.append(item(band, extra.place))
    }
  }

  private func item(_ band: EqualizerText.Band, _ place: Place) -> ItemDocument {
    func value(_ name: String, _ value: RawValue) -> NamedValue {
      NamedValue(
        name: Located(value: name, place: place), value: Located(value: value, place: place))
    }
    var values = [
      value("type", .text(band.type)), value("frequency", .number(band.frequency)),
      value("q", .number(band.q)), value("channels", .text(band.channels)),
    ]
    if band.gain != 0 { values.append(value("gain", .number(band.gain))) }
    return ItemDocument(id: nil, values: values, place: place)
  }

  /// Sets the preamp and the curve of the file, if the chain does not set them.
  func configureEqualizer(_ draft: NodeBuilder, _ facts: UnitFacts) {
    guard let text = draft.equalizer else { return }
    if draft.options["curve"] == .text(""), !text.curve.isEmpty {
      draft.options["curve"] = .text(text.curve)
    }
    guard let preamp = text.preamp, let slot = facts.parameterIndex["gain"] else { return }
    setValue(
      draft, slot, .number(preamp),
      draft.document?.extras.first { $0.key.value == "file" }?.place)
  }
}
