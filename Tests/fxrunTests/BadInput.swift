import FxTestSupport
import Testing

/// One way to get it wrong: what is there, what is typed, what has to come of it.
struct BadInput: Sendable, CustomTestStringConvertible {
  let name: String
  /// The text of `chain.json`; nil for none.
  var chain: String? = emptyChain
  var arguments = ["chain.json", "in.wav", "-o", "out.wav"]
  var environment: [String: String] = [:]
  let exitCode: Int32
  /// All of this has to be said on standard error.
  let says: [String]
  /// Puts more into the folder, which has `chain.json` and `in.wav` already.
  var arrange: @Sendable (Folder) throws -> Void = { _ in }

  var testDescription: String { name }

  init(
    _ name: String, chain: String? = emptyChain, _ exitCode: Int32, _ says: String...,
    arguments: [String] = ["chain.json", "in.wav", "-o", "out.wav"],
    environment: [String: String] = [:],
    arrange: @escaping @Sendable (Folder) throws -> Void = { _ in }
  ) {
    self.name = name
    self.chain = chain
    self.exitCode = exitCode
    self.says = says
    self.arguments = arguments
    self.environment = environment
    self.arrange = arrange
  }

  static func list(_ nodes: String) -> String { #"{ "version": 1, "chain": [\#(nodes)] }"# }

  static let sound = Sound([Signal.noise(2000), Signal.noise(2000, seed: 2)])
}
