import FxChain
import FxKit

/// Reads a configuration of PipeWire's module-filter-chain.
///
/// Source: PipeWire's own sources, as docs/import/pipewire.md names them.
struct PipeWireImport {
  let importing: Importing
  private let modules: [SourceValue]
  private let root: SourceValue

  init(_ root: SourceValue, _ importing: Importing) {
    (self.root, self.importing) = (root, importing)
    modules = (root["context.modules"]?.elements ?? []).filter { module in
      module["name"].map { $0.isText("libpipewire-module-filter-chain") } == true
    }
  }

  func graph() -> ChainGraph {
    for (key, value) in root.members where key != "context.modules" && key != "filter.graph" {
      value.settle(.translated("a setting of PipeWire that does not change the sound"))
    }
    for module in root["context.modules"]?.elements ?? []
    where !modules.contains(where: { $0 === module }) {
      module.settle(.translated("a module that does not change the sound"))
    }
    let module = modules.first
    for other in modules.dropFirst() {
      other.settle(
        .notPossible("the chain has the first filter chain of the file: divide the file"))
    }
    module?["name"]?.settle()
    module?["flags"]?.settle(.translated("fxrun reports every failure"))
    let arguments = module?["args"] ?? root
    var graph = PipeWireGraph(arguments, importing).graph()
    graph.name = (arguments["node.description"] ?? arguments["media.name"])?.text
    for key in ["media.name", "node.description", "node.name"] { arguments[key]?.settle() }
    return graph
  }
}

extension SourceValue {
  /// True for this text; asking does not count as reading.
  func isText(_ text: String) -> Bool {
    if case .scalar(text) = content { true } else { false }
  }
}
