package import FxAudio
import FxEngine

/// A chain whose files have been read: its own text, included chains, and MIDI files. It builds
/// graphs for different environments without reading a file again.
package final class ChainBuilder {
  /// The sources of the whole chain, in its order. Equal ones appear once.
  package let sources: [SourceEndpoint]
  package let sinks: [SinkEndpoint]
  /// True if a unit measures the whole sound before it renders.
  package let hasMeasuringUnit: Bool
  private let document: ChainDocument?
  /// The chain's key `channels`.
  package var channels: Int? { document?.settings.channels }
  private let reading: Diagnostics
  private let files: NamedFiles
  package let catalog: any UnitCatalog
  /// Graphs built so far. One is enough unless a sound device requires another rate or width.
  package private(set) var graphCount = 0

  /// Reads a chain and every file that it names.
  ///
  /// - Parameters:
  ///   - code: The code that made the text.
  ///   - environment: Reads the files, and knows the kinds of sources and sinks.
  package init(
    bytes: [UInt8], path: String, code: CodeOrigin? = nil, defines: [String: String] = [:],
    catalog: any UnitCatalog, environment: ChainEnvironment
  ) {
    self.catalog = catalog
    files = NamedFiles(environment)
    var (document, reading) = ChainReader.read(
      bytes: bytes, path: path, defines: defines, endpoints: environment.endpoints, code: code)
    if let chain = document, environment.loudness != nil || environment.gain != nil {
      document = chain.levelled(loudness: environment.loudness, gain: environment.gain)
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

  /// Builds the graph: looks up units, resolves names, converts values. nil if the diagnostics
  /// contain an error. Mistakes in names are reported even if the text has other mistakes.
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
    // A part that could not be read must not be reported as missing.
    for diagnostic in builder.diagnostics.all where !Self.followOn.contains(diagnostic.code) {
      all.add(diagnostic)
    }
    return (nil, all.sorted())
  }

  /// Reads and builds at once, for a caller who knows the sources in advance.
  package static func build(
    bytes: [UInt8], path: String, defines: [String: String] = [:], catalog: any UnitCatalog,
    environment: ChainEnvironment
  ) -> (chain: BuiltChain?, diagnostics: Diagnostics) {
    ChainBuilder(
      bytes: bytes, path: path, defines: defines, catalog: catalog, environment: environment
    ).build(environment)
  }

  /// Messages that may only follow from an unreadable part.
  private static let followOn: Set<DiagnosticCode> = [
    .unknownNode, .ambiguousNode, .unfedNode, .unfedOutput, .unfedStrip, .danglingNode, .noOutput,
    .unknownInput, .unknownOutput, .misplacedNode,
  ]
}
