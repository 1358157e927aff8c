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

  /// A file of plain numbers, which the name's end describes to fxrun.
  private func raw(_ id: String, _ parameters: SourceValue) -> Node? {
    guard let file = path(parameters) else { return nil }
    let skipped = parameters.first("skip_bytes_lines")?.integer ?? 0
    let taken = parameters.first("read_bytes_lines")?.integer ?? 0
    guard skipped == 0, taken == 0 else {
      return none(parameters, "fxrun reads a file of coefficients as a whole")
    }
    let isText = parameters["type"]?.text == "Text"
    let format = isText ? "TEXT" : parameters["format"]?.text ?? "TEXT"
    let endings: [String: [String]] = [
      "TEXT": ["txt", "csv", "dat"],
      "FLOAT32LE": ["raw", "pcm", "f32", "bin"], "F32_LE": ["raw", "pcm", "f32", "bin"],
      "FLOAT64LE": ["f64", "dbl"], "F64_LE": ["f64", "dbl"],
    ]
    guard let known = endings[format] else {
      return none(parameters, "fxrun reads coefficients as text, 32-bit or 64-bit floats")
    }
    let ending = file.split(separator: ".").last.map { $0.lowercased() } ?? ""
    guard known.contains(ending) else {
      return none(
        parameters,
        "for fxrun the name of such a file ends in \(known.map { ".\($0)" }.joined(separator: ", "))"
      )
    }
    return Convolver(id: id, impulse: importing.file(file)).node
  }

  /// The file's name, with the tokens of CamillaDSP replaced.
  private func path(_ parameters: SourceValue) -> String? {
    guard let name = parameters["filename"]?.text else { return nil }
    let rate = String(Int(importing.sampleRate))
    return name.replacing("$samplerate$", with: rate)
  }
}
