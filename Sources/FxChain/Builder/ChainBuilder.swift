package import FxAudio
package import FxDiagnostics
package import FxGraph

/// A chain whose files have been read: its own text, the chains that it includes, the MIDI that it
/// plays. Graphs are built of it, for one environment or another, without touching a file.
package final class ChainBuilder {
  /// The sources of the whole chain, in its order. Those that are alike stand there once.
  package let sources: [SourceEndpoint]
  package let sinks: [SinkEndpoint]
  /// True where a unit measures the whole sound before it renders.
  package let hasMeasuringUnit: Bool
  private let document: ChainDocument?
  private let reading: Diagnostics
  private let files: NamedFiles
  private let catalog: any UnitCatalog
  /// Graphs built so far. One is enough unless a sound device wants another rate or width.
  package private(set) var graphCount = 0

  /// Reads a chain and every file that it names.
  ///
  /// - Parameter environment: reads the files, and knows the kinds of source and sink.
  package init(
    bytes: [UInt8], path: String, defines: [String: String] = [:], catalog: any UnitCatalog,
    environment: ChainEnvironment
  ) {
    self.catalog = catalog
    files = NamedFiles(environment.read)
    var (document, reading) = ChainReader.read(
      bytes: bytes, path: path, defines: defines, endpoints: environment.endpoints)
    if let target = environment.loudness, let chain = document {
      document = chain.brought(toLoudness: target)
      if document == nil {
        reading.add(
          Diagnostic(
            .noOutput, "there is no main output to bring to a loudness", at: chain.place,
            hints: ["give the chain a sink \"main\", or a node 'loudness' where it is wanted"]))
      }
    }
    self.document = document
    self.reading = reading
    guard let document else {
      (sources, sinks, hasMeasuringUnit) = ([], [], false)
      return
    }
    (sources, sinks, hasMeasuringUnit) =
      GraphBuilder(document, catalog, environment, files).unfold()
  }

  /// Builds the graph: units looked up, names resolved, values converted. nil when the diagnostics
  /// hold an error. A mistake in the text does not hide those of the names that could be read.
  package func build(
    _ environment: ChainEnvironment
  ) -> (chain: BuiltChain?, diagnostics: Diagnostics) {
    guard let document else { return (nil, reading) }
    graphCount += 1
    let builder = GraphBuilder(document, catalog, environment, files)
    let chain = builder.build()
    var all = reading
    guard reading.hasErrors, !document.isWhole else {
      all.add(contentsOf: builder.diagnostics)
      return (all.hasErrors ? nil : chain, all.sorted())
    }
    // What is missing because it could not be read is not missing from the file.
    for diagnostic in builder.diagnostics.all where !Self.followOn.contains(diagnostic.code) {
      all.add(diagnostic)
    }
    return (nil, all.sorted())
  }

  /// Reads and builds in one go, for who knows the sources beforehand.
  package static func build(
    bytes: [UInt8], path: String, defines: [String: String] = [:], catalog: any UnitCatalog,
    environment: ChainEnvironment
  ) -> (chain: BuiltChain?, diagnostics: Diagnostics) {
    ChainBuilder(
      bytes: bytes, path: path, defines: defines, catalog: catalog, environment: environment
    ).build(environment)
  }

  /// Messages that may merely follow from a part that could not be read.
  private static let followOn: Set<DiagnosticCode> = [
    .unknownNode, .ambiguousNode, .unfedNode, .unfedOutput, .unfedStrip, .danglingNode, .noOutput,
    .unknownInput, .unknownOutput, .misplacedNode,
  ]
}
