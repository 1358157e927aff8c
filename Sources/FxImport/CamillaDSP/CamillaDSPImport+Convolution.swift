import FxNodes

extension CamillaDSPImport {
  /// The convolver of a `Conv`; nil for one that is not possible.
  func convolver(_ name: String, _ parameters: SourceValue) -> Node? {
    let id = importing.id(name)
    switch parameters["type"]?.text ?? "Raw" {
    case "Wav": return wave(id, parameters)
    case "Raw", "File", "Text": return raw(id, parameters)
    case "Values":
      let values = parameters["values"]?.numbers ?? []
      guard !values.isEmpty else { return none(parameters, "it has no usable values") }
      return Convolver(id: id, impulse: importing.file(id, coefficients: values)).node
    case "Dummy":
      parameters.turn(.translated("a convolution that changes nothing is left out"))
      return nil
    default: return none(parameters, "CamillaDSP has no coefficients of this type")
    }
  }

  private func none(_ parameters: SourceValue, _ reason: String) -> Node? {
    parameters.turn(.notPossible(reason))
    return nil
  }

  private func wave(_ id: String, _ parameters: SourceValue) -> Node? {
    guard let file = path(parameters) else { return nil }
    parameters["filename"]?.turn(
      .translated("fxrun converts a file with another rate to the chain's rate"))
    let channel = parameters["channel"]?.integer ?? 0
    return Convolver(id: id, impulse: importing.file(file), channels: [channel + 1]).node
  }

  /// A file of plain numbers.
  private func raw(_ id: String, _ parameters: SourceValue) -> Node? {
    guard let name = path(parameters) else { return nil }
    let isText = parameters["type"]?.text == "Text"
    let key = isText ? "TEXT" : parameters["format"]?.text ?? "TEXT"
    let formats: [String: CoefficientFile.Format] = [
      "TEXT": .text,
      "S16LE": .integers(bytes: 2, bits: 16), "S16_LE": .integers(bytes: 2, bits: 16),
      "S24LE3": .integers(bytes: 3, bits: 24), "S24_3_LE": .integers(bytes: 3, bits: 24),
      "S24LE": .integers(bytes: 4, bits: 24), "S24_4_RJ_LE": .integers(bytes: 4, bits: 24),
      "S32LE": .integers(bytes: 4, bits: 32), "S32_LE": .integers(bytes: 4, bits: 32),
      "S24_4_LJ_LE": .integers(bytes: 4, bits: 32),
      "FLOAT32LE": .floats, "F32_LE": .floats, "FLOAT64LE": .doubles, "F64_LE": .doubles,
    ]
    guard let format = formats[key] else {
      return none(parameters, "fxrun does not know coefficients of the format '\(key)'")
    }
    var file = CoefficientFile(name: name, format: format)
    file.skipped = max(parameters.first("skip_bytes_lines")?.integer ?? 0, 0)
    if let taken = parameters.first("read_bytes_lines")?.integer, taken > 0 {
      file.limit = format.count(taken)
    }
    guard let impulse = file.imported(importing, id: id) else {
      return none(parameters, "'\(name)' cannot be read as coefficients")
    }
    return Convolver(id: id, impulse: impulse).node
  }

  /// The file's name, with the tokens of CamillaDSP replaced.
  private func path(_ parameters: SourceValue) -> String? {
    guard let name = parameters["filename"]?.text else { return nil }
    let rate = String(Int(importing.sampleRate))
    return name.replacing("$samplerate$", with: rate)
  }
}
