package import FxAudio

/// Reads models of Neural Amp Modeler (`.nam`): JSON with an architecture, its sizes and its weights
/// in one list.
///
/// The order of the weights: S. Atkinson, neural-amp-modeler 0.12 (`export_weights` of each model).
package enum NeuralModelReader {
  /// - Throws: A failure that names the place in the file, and what is wrong there.
  package static func model(_ bytes: [UInt8], path: String) throws(Failure) -> NeuralModel {
    guard bytes.count <= byteLimit else {
      throw Failure(.outOfRange, "it has more than \(byteLimit >> 20) MB, the limit for a model")
    }
    var found = Diagnostics()
    guard let document = JSONDocument.read(SourceText(path: path, bytes: bytes), into: &found),
      !found.hasErrors
    else {
      guard let mistake = found.all.last else { throw Failure(.unreadable, "it is no JSON") }
      throw Failure(
        .unreadable,
        "line \(mistake.line ?? 1), column \(mistake.column ?? 1): \(mistake.message)")
    }
    return try model(NeuralField(value: document.root, path: ""))
  }

  private static let byteLimit = 64 << 20

  private static func model(_ root: NeuralField) throws(Failure) -> NeuralModel {
    guard root.value.kind == .object else {
      throw Failure(.unreadable, "it is \(root.value.kindName), and a model is an object")
    }
    try checkVersion(root.required("version"))
    let network = try network(root)
    let weights = try weights(root.required("weights"), network.weightCount)
    var rate = NeuralModel.usualSampleRate
    if let field = try root.optional("sample_rate") {
      rate = try field.number
      guard rateRange.contains(rate) else {
        throw field.failure(
          "is \(shortNumber(rate)) Hz, and fxrun plays models for "
            + "\(shortNumber(rateRange.lowerBound)) to \(shortNumber(rateRange.upperBound)) Hz")
      }
    }
    var loudness: Double?
    if let field = try root.optional("metadata")?.optional("loudness") {
      let level = try field.number
      guard loudnessRange.contains(level) else {
        throw field.failure(
          "is \(shortNumber(level)) dB, and a loudness lies between "
            + "\(shortNumber(loudnessRange.lowerBound)) and "
            + "\(shortNumber(loudnessRange.upperBound)) dB")
      }
      loudness = level
    }
    return NeuralModel(
      network: network, weights: weights, sampleRate: rate, loudness: loudness)
  }

  private static let rateRange = 8000.0...384_000
  private static let loudnessRange = -100.0...60

  /// Accepts the versions whose meaning is known.
  private static func checkVersion(_ field: NeuralField) throws(Failure) {
    let text = try field.text
    let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count >= 2, numbers[0] == 0, let minor = numbers[1], (5...7).contains(minor)
    else {
      throw field.failure(
        "is '\(ForeignText.shortened(text, to: 20))', and fxrun reads the versions 0.5 to 0.7")
    }
  }

  private static func network(_ root: NeuralField) throws(Failure) -> NeuralModel.Network {
    let architecture = try root.required("architecture")
    let config = try root.required("config")
    let network: NeuralModel.Network
    switch try architecture.text {
    case "WaveNet": network = .waveNet(try waveNet(config))
    case "LSTM": network = try lstm(config)
    case "ConvNet": network = try convNet(config)
    case "Linear": network = try linear(config)
    case let name:
      throw Failure(
        .unreadable,
        "its architecture is '\(ForeignText.shortened(name, to: 40))', which fxrun does not play",
        hints: ["fxrun plays the architectures WaveNet, LSTM, ConvNet and Linear"])
    }
    if let field = network.receptiveField, field > receptiveFieldLimit {
      throw config.failure(
        "describes a model that reads \(field) frames back; fxrun plays models up to "
          + "\(receptiveFieldLimit)")
    }
    guard network.weightCount <= weightLimit else {
      throw config.failure(
        "describes a model of \(network.weightCount) weights; fxrun plays models up to \(weightLimit)"
      )
    }
    return network
  }

  private static let receptiveFieldLimit = 1 << 19
  /// A recurrent network of this size settles within seconds.
  private static let weightLimit = 1 << 20

  private static func lstm(_ config: NeuralField) throws(Failure) -> NeuralModel.Network {
    try config.expectOnly([
      "input_size", "hidden_size", "num_layers", "in_channels", "out_channels", "train_burn_in",
      "train_truncate",
    ])
    for key in ["input_size", "in_channels", "out_channels"] { try config.expectOne(key) }
    return .lstm(
      hiddenSize: try config.required("hidden_size").size,
      layerCount: try config.optional("num_layers")?.size ?? 1)
  }

  private static func convNet(_ config: NeuralField) throws(Failure) -> NeuralModel.Network {
    try config.expectOnly([
      "channels", "dilations", "batchnorm", "activation", "groups", "in_channels", "out_channels",
    ])
    for key in ["groups", "in_channels", "out_channels"] { try config.expectOne(key) }
    return .convNet(
      channels: try config.required("channels").size,
      dilations: try dilations(config.required("dilations")),
      isNormalized: try config.optional("batchnorm")?.flag ?? false,
      activation: try config.required("activation").activation)
  }

  private static func linear(_ config: NeuralField) throws(Failure) -> NeuralModel.Network {
    try config.expectOnly(["receptive_field", "bias", "in_channels", "out_channels"])
    for key in ["in_channels", "out_channels"] { try config.expectOne(key) }
    return .linear(
      receptiveField: try config.required("receptive_field").size,
      hasBias: try config.optional("bias")?.flag ?? false)
  }

  static func dilations(_ field: NeuralField) throws(Failure) -> [Int] {
    let fields = try field.elements
    guard !fields.isEmpty, fields.count <= layerLimit else {
      throw field.failure("has \(fields.count) values, and a model has 1 to \(layerLimit) layers")
    }
    var dilations: [Int] = []
    for field in fields { dilations.append(try field.size) }
    return dilations
  }

  static let layerLimit = 256

  private static func weights(_ field: NeuralField, _ count: Int) throws(Failure) -> [Float] {
    guard field.value.kind == .array else {
      throw field.failure("is a list, not \(field.value.kindName)")
    }
    let values = field.value.elements
    guard values.count == count else {
      throw field.failure("has \(values.count) numbers, and its 'config' needs \(count)")
    }
    var weights: [Float] = []
    weights.reserveCapacity(count)
    for (index, value) in values.enumerated() {
      guard let number = value.number, Float(number).isFinite else {
        throw Failure(
          .unreadable,
          "weights[\(index)] is \(value.kind == .number ? "too large" : value.kindName), not a number "
            + "that a weight can have")
      }
      weights.append(Float(number))
    }
    return weights
  }
}
