import FxAudio
import FxEngine

/// Reads the included chains of a document.
extension GraphBuilder {
  /// The scope of an included chain; nil if it cannot be read.
  func used(
    _ path: String, _ variables: [String: String], _ node: NodeDocument, _ id: String,
    _ scope: Scope
  ) -> Scope? {
    let file = ChainFile.path(path, relativeTo: scope.document.path)
    let name = ChainFile.normalized(file)
    if scope.files.contains(name) {
      let circle = (scope.files.drop { $0 != name } + [name]).joined(separator: " -> ")
      report(.useCycle, "chains use each other in a circle: \(circle)", node.kindPlace)
      return nil
    }
    guard scope.files.count <= Self.useLimit else {
      report(.useCycle, "chains use each other more than \(Self.useLimit) deep", node.kindPlace)
      return nil
    }
    let key = ([file] + variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
      .joined(separator: "\u{0}")
    let document: ChainDocument?
    if case .some(let known) = usedDocuments[key] {
      document = known
    } else {
      document = readUsed(file, variables, node)
      usedDocuments[key] = .some(document)
    }
    guard let document else { return nil }
    return Scope(
      document: document, prefix: "\(scope.prefix)\(id)/", files: scope.files + [name], node: node,
      parent: scope)
  }

  private func readUsed(_ file: String, _ variables: [String: String], _ node: NodeDocument)
    -> ChainDocument?
  {
    let bytes: [UInt8]
    do throws(Failure) {
      bytes = try files.read(file)
    } catch {
      report(
        .unreadableFile, "the chain '\(file)' cannot be read: \(error.message)", node.kindPlace)
      return nil
    }
    let (document, found) = ChainReader.read(
      bytes: bytes, path: file, defines: variables, endpoints: environment.endpoints)
    for var diagnostic in found.all {
      // A variable that the inner chain does not declare is a mistake of the outer chain.
      if diagnostic.place == nil {
        diagnostic.place = node.kindPlace
        diagnostic.origin = nil
      }
      diagnostics.add(diagnostic)
    }
    return found.hasErrors ? nil : document
  }
}
