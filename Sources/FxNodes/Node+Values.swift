import FxChain

extension Node {
  /// The name of the unit, without its revision; nil for any other node.
  public var unit: String? {
    self[key: "unit"]?.text.map { String($0.prefix { $0 != "@" }) }
  }

  /// The value of a key beside `parameters`: an option, a list, `preset`, `comment`.
  public subscript(key key: String) -> ChainValue? {
    get { keys.value(of: key) }
    set { keys.set(key, newValue) }
  }

  /// The value of a parameter by its path within the node: `decay`, `wet`, `bands.presence.gain`,
  /// `bands.2.gain`, `strips.voice.mute`; nil where the node does not set it.
  ///
  /// A value for a band that is not there is ignored; a strip is added.
  public subscript(parameter path: String) -> ChainValue? {
    get {
      if Self.isBeside(path) { return self[key: path] }
      let steps = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard steps.count == 3 else { return self[key: "parameters"]?[path] }
      return item(steps[0], steps[1])?[steps[2]]
    }
    set {
      if Self.isBeside(path) {
        self[key: path] = newValue
        return
      }
      let steps = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      if steps.count == 3 {
        setItem(steps[0], steps[1]) { $0[steps[2]] = newValue }
        return
      }
      var parameters = self[key: "parameters"] ?? .object([])
      parameters[path] = newValue
      self[key: "parameters"] = parameters.members.isEmpty ? nil : parameters
    }
  }

  /// Parameters that every unit has, which are written beside `parameters`.
  private static func isBeside(_ parameter: String) -> Bool {
    parameter == "wet" || parameter == "bypass"
  }

  /// Sets a parameter, unless the value is nil.
  public mutating func set<Value: ParameterQuantity>(_ parameter: String, _ value: Value?) {
    if let value { self[parameter: parameter] = value.chainValue }
  }

  /// Sets an option, unless the value is nil.
  public mutating func setOption<Value: ParameterQuantity>(_ key: String, _ value: Value?) {
    if let value { self[key: key] = value.chainValue }
  }

  /// Adds the elements of a list: bands in their order, strips by their names.
  mutating func add(_ items: [some NodeItem], to key: String, isNamed: Bool) {
    guard !items.isEmpty else { return }
    if isNamed {
      var members = self[key: key]?.members ?? []
      for item in items { members.set(item.fields.id ?? "", .object(item.fields.keys)) }
      self[key: key] = .object(members)
    } else {
      let added = items.map { ChainValue.object($0.fields.written) }
      self[key: key] = .array((self[key: key]?.elements ?? []) + added)
    }
  }

  // MARK: Lists

  /// An element by its id, or by its number from 1.
  private func index(_ list: [ChainValue], _ name: String) -> Int? {
    if let named = list.firstIndex(where: { $0["id"]?.text == name }) { return named }
    guard let number = Int(name), list.indices.contains(number - 1) else { return nil }
    return number - 1
  }

  /// An element of a list by its id or its number.
  func item(_ list: String, _ name: String) -> ChainValue? {
    switch self[key: list] {
    case .array(let elements)?: index(elements, name).map { elements[$0] }
    case .object(let members)?: members.value(of: name)
    default: nil
    }
  }

  private mutating func setItem(
    _ list: String, _ name: String, _ change: (inout ChainValue) -> Void
  ) {
    switch self[key: list] {
    case .array(var elements)?:
      guard let index = index(elements, name) else { return }
      change(&elements[index])
      self[key: list] = .array(elements)
    case .object(var members)?:
      var item = members.value(of: name) ?? .object([])
      change(&item)
      members.set(name, item)
      self[key: list] = .object(members)
    case nil where Int(name) == nil:
      var item = ChainValue.object([])
      change(&item)
      self[key: list] = .object([ChainValue.Member(name, item)])
    default: return
    }
  }
}
