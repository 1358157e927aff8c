package import FxDiagnostics
package import FxAudio
import FxGraph

/// Makes a graph of a document: units looked up, names resolved, values converted, every mistake of
/// meaning reported.
package struct ChainBuilder {
  package let document: ChainDocument
  package let catalog: any UnitCatalog
  package let environment: ChainEnvironment

  package init(
    document: ChainDocument, catalog: any UnitCatalog,
    environment: ChainEnvironment = ChainEnvironment()
  ) {
    self.document = document
    self.catalog = catalog
    self.environment = environment
  }

  /// Builds the chain; nil when the diagnostics hold an error.
  package func build() -> (chain: BuiltChain?, diagnostics: Diagnostics) {
    let builder = GraphBuilder(document, catalog, environment)
    let chain = builder.build()
    let diagnostics = builder.diagnostics.sorted()
    return (diagnostics.hasErrors ? nil : chain, diagnostics)
  }

  /// Reads and builds in one go, the messages of both together: a mistake in the text does not hide
  /// those of the names that could be made sense of.
  package static func build(
    bytes: [UInt8], path: String, defines: [String: String] = [:], catalog: any UnitCatalog,
    environment: ChainEnvironment = ChainEnvironment()
  ) -> (chain: BuiltChain?, diagnostics: Diagnostics) {
    let (document, reading) = ChainReader.read(bytes: bytes, path: path, defines: defines)
    guard let document else { return (nil, reading) }
    let (chain, building) =
      ChainBuilder(document: document, catalog: catalog, environment: environment).build()
    guard reading.hasErrors, !document.isWhole else {
      var all = reading
      all.add(contentsOf: building)
      return (all.hasErrors ? nil : chain, all.sorted())
    }
    // What does not stand because it could not be read is not missing: only what is plainly there.
    var all = reading
    for diagnostic in building.all where !Self.followOn.contains(diagnostic.code) {
      all.add(diagnostic)
    }
    return (nil, all.sorted())
  }

  /// Messages that may merely follow from a part that could not be read.
  private static let followOn: Set<DiagnosticCode> = [
    .unknownNode, .ambiguousNode, .unfedNode, .unfedOutput, .unfedStrip, .danglingNode, .noOutput,
    .unknownInput, .unknownOutput, .misplacedNode,
  ]
}
