import ArgumentParser
import FxChain
import FxKit

/// The JSON Schema of chain files.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of chain files, for editors.",
    discussion: """
      Put \"$schema\": \"./chain.schema.json\" into a chain beside the output of this command, and an \
      editor completes keys, units and parameters.
      """)

  func run() {
    Output.json(ChainSchema.schema(for: UnitLibrary.shared))
  }
}
