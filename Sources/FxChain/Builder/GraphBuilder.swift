import FxAudio
import FxEngine

/// Builds the graph in steps: drafts and links, then values. `GraphChecks`, `Inlining` and
/// `GraphAssembly` make the graph of them.
final class GraphBuilder {
  static let useLimit = 16

  let document: ChainDocument
  let catalog: any UnitCatalog
  let environment: ChainEnvironment
  let files: NamedFiles
  var diagnostics = Diagnostics()
  var drafts: [NodeBuilder] = []
  var links: [Link] = []
  var scopes: [Scope] = []
  var context = ValueContext()
  var units = UnitTable()
  var usedDocuments: [String: ChainDocument?] = [:]
  /// The models that nodes have read, by path.
  var models: [String: NeuralModel] = [:]
  var isOverLimit = false
  /// Nodes with a connection that was reported as wrong: that they lead nowhere is not reported
  /// again.
  var excused: Set<Int> = []
  /// Scenes by full name.
  var sceneNumbers: [String: SceneNumber] = [:]

  init(
    _ document: ChainDocument, _ catalog: any UnitCatalog, _ environment: ChainEnvironment,
    _ files: NamedFiles
  ) {
    self.document = document
    self.catalog = catalog
    self.environment = environment
    self.files = files
  }

  func report(
    _ code: DiagnosticCode, _ message: String, _ place: Place?, hints: [String] = [],
    origin: String? = nil
  ) {
    diagnostics.add(Diagnostic(code, message, at: place, hints: hints, origin: origin))
  }

  /// Reads all files named in the chain and its included chains, and the start states of plugins.
  /// Returns the sources and sinks, each once.
  func unfold() -> (sources: [SourceEndpoint], sinks: [SinkEndpoint], measures: Bool) {
    expand(root)
    var sources: [SourceEndpoint] = []
    var sinks: [SinkEndpoint] = []
    var seen = (sources: Set<SourceEndpoint>(), sinks: Set<SinkEndpoint>())
    for draft in drafts {
      switch draft.content {
      case .source(let endpoint):
        if seen.sources.insert(endpoint).inserted { sources.append(endpoint) }
      case .sink(let endpoint, _):
        if seen.sinks.insert(endpoint).inserted { sinks.append(endpoint) }
      default: break
      }
      if let path = draft.document.flatMap({ midiFile(of: $0, draft) }) {
        _ = try? files.read(path)
      }
      readState(draft)
    }
    return (sources, sinks, drafts.contains { $0.facts?.spec.measures != nil })
  }

  private lazy var root = Scope(
    document: document, prefix: "", files: [ChainFile.normalized(document.path)], node: nil,
    parent: nil)

  func build() -> BuiltChain? {
    expand(root)
    guard !isOverLimit else { return nil }
    let taps = addTaps(root)
    readSources()
    for scope in scopes { connect(scope) }
    connect(taps)
    addCopies(root)
    for draft in drafts { configure(draft) }
    for index in links.indices { configureLink(index) }
    // Inner chains come first: the chains that include them may use what they expose, and override
    // it.
    var startScene: SceneNumber?
    for scope in scopes.reversed() {
      connectModulations(scope)
      resolveExposures(scope)
      resolveScenes(scope)
      startScene = applyStartScene(scope)
      applyParameters(of: scope)
    }
    for scope in scopes.reversed() { applyAutomation(scope) }
    checkScenes()
    let offsets = sceneOffsets
    let controls = controls(offsets)
    applyOverrides(root)
    let checks = GraphChecks(document, environment, drafts, links, scopes, excused: excused)
    diagnostics.add(contentsOf: checks.diagnostics)
    let tail = tail()
    return GraphAssembly(
      document: document, environment: environment, context: context, drafts: drafts,
      scopes: scopes, models: models
    ).chain(
      Inlining.inlined(links, drafts, &diagnostics), tail: tail,
      startScene: startScene.map { offsets[$0.scope] + $0.scene }, controls)
  }

  /// The `tail` of the whole chain.
  private func tail() -> BuiltChain.Tail {
    guard let tail = document.settings.tail else { return .auto }
    if let word = tail.value.text {
      switch word.lowercased() {
      case "auto": return .auto
      case "none": return .none
      default: break
      }
    }
    let spec = ParameterSpec("tail", "", .seconds, 0...3600, default: 0)
    do throws(ValueProblem) {
      return .seconds(try spec.value(tail.value, context: context))
    } catch {
      let hints =
        error.code == .invalidValue
        ? ["\"none\", \"auto\", or a time such as \"2 s\""] : error.hints
      diagnostics.add(
        Diagnostic(error.code, error.message, at: tail.place, hints: hints))
      return .auto
    }
  }
}
