import ArgumentParser
import FxChecks
import FxKit

/// Prints the JSON Schemas of chain files and case files.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of chain files, or of case files, for editors.",
    discussion: """
      Put \"$schema\": \"./chain.schema.json\" into a chain beside the output of this command, and an \
      editor completes keys, units and parameters.
      """)

  @Flag(help: "Print the schema of case files, NAME.test.json.")
  var test = false

  func run() {
    Output.json(test ? CaseFormat.schema : Chain.schema)
  }
}
