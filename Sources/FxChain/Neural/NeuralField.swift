import FxAudio

/// A value in a model file, with its path for messages: `config.layers[1].channels`.
struct NeuralField {
  let value: JSONValue
  let path: String

  func failure(_ message: String) -> Failure { Failure(.unreadable, "\(path) \(message)") }

  /// The member of this name; nil if it is missing or null.
  func optional(_ key: String) throws(Failure) -> NeuralField? {
    guard value.kind == .object else { throw failure("is an object, not \(value.kindName)") }
    guard let found = value.members.first(where: { $0.key.string == key })?.value,
      found.kind != .null
    else { return nil }
    return NeuralField(value: found, path: path.isEmpty ? key : "\(path).\(key)")
  }

  func required(_ key: String) throws(Failure) -> NeuralField {
    guard let found = try optional(key) else {
      throw Failure(.unreadable, "\(path.isEmpty ? "the file" : path) has no '\(key)'")
    }
    return found
  }

  var elements: [NeuralField] {
    get throws(Failure) {
      guard value.kind == .array else { throw failure("is a list, not \(value.kindName)") }
      return value.elements.enumerated().map {
        NeuralField(value: $1, path: "\(path)[\($0)]")
      }
    }
  }

  /// A whole number of at least 1.
  var size: Int {
    get throws(Failure) {
      let limit = NeuralModel.Network.sizeLimit
      guard let number = value.number, number >= 1, number <= Double(limit),
        number == number.rounded()
      else { throw failure("is a whole number from 1 to \(limit), not \(shown)") }
      return Int(number)
    }
  }

  var number: Double {
    get throws(Failure) {
      guard let number = value.number else { throw failure("is a number, not \(shown)") }
      return number
    }
  }

  var flag: Bool {
    get throws(Failure) {
      guard let flag = value.bool else { throw failure("is true or false, not \(shown)") }
      return flag
    }
  }

  var text: String {
    get throws(Failure) {
      guard let text = value.string else { throw failure("is a string, not \(shown)") }
      return text
    }
  }

  private var shown: String {
    value.kind == .number || value.kind == .string
      ? ForeignText.shortened(value.spelling, to: 40) : value.kindName
  }

  /// Refuses a size other than 1 for a kind of model that fxrun does not play.
  func expectOne(_ key: String) throws(Failure) {
    guard let field = try optional(key), try field.size != 1 else { return }
    throw field.failure("is \(try field.size), and fxrun plays only models with 1 there")
  }

  /// Refuses members other than these, unless they are switched off: they would change the sound.
  func expectOnly(_ known: Set<String>) throws(Failure) {
    guard value.kind == .object else { throw failure("is an object, not \(value.kindName)") }
    for (key, value) in value.members {
      guard let name = key.string, !known.contains(name) else { continue }
      if value.kind == .null || value.kind == .false { continue }
      if value.members.contains(where: { $0.key.string == "active" && $0.value.kind == .false }) {
        continue
      }
      throw Failure(
        .unreadable,
        "\(path) has '\(ForeignText.shortened(name, to: 40))', a feature of models that fxrun does "
          + "not play")
    }
  }

  /// An activation, by its name or as an object with a `type`.
  var activation: NeuralModel.Activation {
    get throws(Failure) {
      let field = value.kind == .object ? try required("type") : self
      switch try field.text {
      case "Tanh": return .tanh
      case "Hardtanh": return .hardTanh
      case "ReLU": return .relu
      case "Sigmoid": return .sigmoid
      case "SiLU": return .silu
      case "Hardswish": return .hardSwish
      case "Softsign": return .softsign
      case "LeakyReLU":
        guard value.kind == .object, let slope = try optional("negative_slope") else {
          return .leakyReLU(0.01)
        }
        return .leakyReLU(try slope.number)
      case let name:
        throw field.failure(
          "names '\(ForeignText.shortened(name, to: 40))', an activation that fxrun does not play")
      }
    }
  }

  /// One value for each of `count` layers: a list, or the same for all.
  func each<Value>(
    _ count: Int, _ read: (NeuralField) throws(Failure) -> Value
  ) throws(Failure) -> [Value] {
    guard value.kind == .array else {
      return [Value](repeating: try read(self), count: count)
    }
    let fields = try elements
    guard fields.count == count else {
      throw failure("has \(fields.count) values for \(count) layers")
    }
    var values: [Value] = []
    for field in fields { values.append(try read(field)) }
    return values
  }
}
