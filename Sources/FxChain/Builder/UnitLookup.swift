import FxAudio
import FxEngine

/// Looks up the units, plugins and included chains of a document.
extension GraphBuilder {
  func unit(_ name: String, _ revision: Int?, _ node: NodeDocument) -> UnitFacts? {
    let key = revision.map { "unit \(name)@\($0)" } ?? "unit \(name)"
    if case .some(let known) = facts[key] {
      if known == nil { reportAgain(key, node) }
      return known
    }
    guard let type = catalog.unit(named: name, revision: revision) else {
      let hint = Suggestion.hint(for: name, in: catalog.unitNames)
      return fail(
        key, .unknownUnit, "there is no unit '\(name)'", node,
        hints: hint.isEmpty ? ["'fxrun units' lists them"] : hint)
    }
    if let revision, revision != type.spec.revision {
      return fail(
        key, .unknownRevision, "unit '\(name)' has no revision \(revision) in this fxrun", node,
        hints: [Self.hint(catalog.revisions(ofUnit: name).map(\.spec))])
    }
    let found = UnitFacts(
      spec: type.spec, kind: .builtIn(name: type.spec.id, revision: type.spec.revision))
    facts[key] = .some(found)
    return found
  }

  /// `its revision is 1`, `its revisions are 2, 1`.
  private static func hint(_ revisions: [UnitSpec]) -> String {
    let numbers = revisions.map { String($0.revision) }.joined(separator: ", ")
    return revisions.count == 1 ? "its revision is \(numbers)" : "its revisions are \(numbers)"
  }

  func plugin(_ uri: String, _ node: NodeDocument) -> UnitFacts? {
    let key = "lv2 \(uri)"
    if case .some(let known) = facts[key] {
      if known == nil { reportAgain(key, node) }
      return known
    }
    do throws(Failure) {
      if let type = try catalog.plugin(uri: uri) {
        let found = UnitFacts(spec: type.spec, kind: .lv2(uri: uri))
        facts[key] = .some(found)
        return found
      }
    } catch {
      return fail(
        key, .unusablePlugin, "the LV2 plugin '\(uri)' cannot be used: \(error.message)", node)
    }
    let search = catalog.pluginSearch
    let nearest = catalog.nearestPlugins(to: uri).prefix(1)
    let folders = search.folders.isEmpty ? "nowhere" : search.folders.joined(separator: ", ")
    let plugins = search.pluginCount == 1 ? "1 plugin" : "\(search.pluginCount) plugins"
    let package = catalog.missingPackage(ofPlugin: uri).map { "install it with: apt install \($0)" }
    let hint =
      (nearest.isEmpty ? "" : "nearest: \(nearest.joined()) · ")
      + "searched: \(folders) (\(plugins))"
    return fail(
      key, .missingPlugin, "no LV2 plugin '\(uri)' is installed", node,
      hints: (package.map { [$0] } ?? []) + [hint])
  }

  private func fail(
    _ key: String, _ code: DiagnosticCode, _ message: String, _ node: NodeDocument,
    hints: [String] = []
  ) -> UnitFacts? {
    let diagnostic = Diagnostic(code, message, at: node.kindPlace, hints: hints)
    missing[key] = diagnostic
    diagnostics.add(diagnostic)
    facts[key] = .some(nil)
    return nil
  }

  private func reportAgain(_ key: String, _ node: NodeDocument) {
    guard var diagnostic = missing[key] else { return }
    diagnostic.place = node.kindPlace
    diagnostics.add(diagnostic)
  }

  // MARK: Included chains

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
