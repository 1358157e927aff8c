import FxTestSupport
import Testing

/// A mistake: the files, the command line, and the expected exit code and messages.
struct BadInput: Sendable, CustomTestStringConvertible {
  let name: String
  /// The text of `chain.json`; nil for none.
  var chain: String? = emptyChain
  var arguments = ["chain.json", "in.wav", "-o", "out.wav"]
  var environment: [String: String] = [:]
  let exitCode: Int32
  /// Standard error must contain each of these texts.
  let says: [String]
  /// Adds files to the folder, which already has `chain.json` and `in.wav`.
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
