import FxKit

/// The addresses of a chain's parameters: `comp.threshold` is `/comp/threshold`.
struct OSCNamespace {
  /// The parameters in the order of the chain, by address.
  private(set) var parameters: [(address: String, parameter: LiveParameter)] = []
  private var names: [String: String] = [:]
  /// The parameters behind exposed names.
  private var targets: [String: String] = [:]
  /// The addresses of a parameter, under its own name and under exposed ones.
  private var addresses: [String: [String]] = [:]

  init() {}

  init(_ parameters: [LiveParameter]) {
    for parameter in parameters {
      let address = Self.address(parameter.name)
      self.parameters.append((address, parameter))
      names[address] = parameter.name
      targets[parameter.name] = parameter.target
      addresses[parameter.target ?? parameter.name, default: []].append(address)
    }
  }

  /// The address of a name, whether there is such a parameter or not.
  static func address(_ name: String) -> String {
    "/" + name.map { $0 == "." ? "/" : String($0) }.joined()
  }

  /// The name of an address; one that the chain does not have is read as a name, for the message.
  func name(_ address: String) -> String {
    names[address] ?? address.dropFirst().map { $0 == "/" ? "." : String($0) }.joined()
  }

  /// The parameter of a name, which is another one for an exposed name.
  func target(_ name: String) -> String { targets[name] ?? name }

  /// The addresses under which a parameter is known.
  func addresses(of name: String) -> [String] { addresses[name] ?? [Self.address(name)] }

  /// The addresses that a pattern stands for.
  func addresses(matching pattern: OSCPattern) -> [String] {
    guard pattern.isPattern else { return [pattern.text] }
    return parameters.map(\.address).filter(pattern.matches)
  }
}
