import FxAudio
import FxEngine

/// The units and plugins that a chain names, each looked up once.
struct UnitTable {
  /// nil for a unit that was reported.
  private var facts: [String: UnitFacts?] = [:]
  private var mistakes: [String: Diagnostic] = [:]

  /// Applies the ranges of a sample rate.
  func adopt(sampleRate: Double) {
    for case let facts? in facts.values { facts.adopt(sampleRate: sampleRate) }
  }

  /// The unit or plugin of a node; nil for another node, and for a mistake, which is reported.
  mutating func find(
    _ node: NodeDocument, in catalog: any UnitCatalog, _ diagnostics: inout Diagnostics
  ) -> UnitFacts? {
    let key: String
    switch node.kind {
    case .unit(let name, let revision): key = "unit \(name)" + (revision.map { "@\($0)" } ?? "")
    case .lv2(let uri): key = "lv2 \(uri)"
    case .use, .source, .sink: return nil
    }
    if facts[key] == nil {
      do throws(Diagnostic) {
        let found: UnitFacts? =
          switch node.kind {
          case .unit(let name, let revision): try Self.unit(name, revision, catalog)
          case .lv2(let uri): try Self.plugin(uri, catalog)
          case .use, .source, .sink: nil
          }
        facts[key] = .some(found)
      } catch {
        facts[key] = .some(nil)
        mistakes[key] = error
      }
    }
    if var mistake = mistakes[key] {
      mistake.place = node.kindPlace
      diagnostics.add(mistake)
    }
    return facts[key] ?? nil
  }

  private static func unit(
    _ name: String, _ revision: Int?, _ catalog: any UnitCatalog
  ) throws(Diagnostic) -> UnitFacts {
    guard let type = catalog.unit(named: name, revision: revision) else {
      let hint = Suggestion.hint(for: name, in: catalog.unitNames)
      throw Diagnostic(
        .unknownUnit, "there is no unit '\(name)'",
        hints: hint.isEmpty ? ["'fxrun units' lists them"] : hint)
    }
    if let revision, revision != type.spec.revision {
      throw Diagnostic(
        .unknownRevision, "unit '\(name)' has no revision \(revision) in this fxrun",
        hints: [hint(catalog.revisions(ofUnit: name).map(\.spec))])
    }
    return UnitFacts(
      spec: type.spec, kind: .builtIn(name: type.spec.id, revision: type.spec.revision))
  }

  /// `its revision is 1`, `its revisions are 2, 1`.
  private static func hint(_ revisions: [UnitSpec]) -> String {
    let numbers = revisions.map { String($0.revision) }.joined(separator: ", ")
    return revisions.count == 1 ? "its revision is \(numbers)" : "its revisions are \(numbers)"
  }

  private static func plugin(
    _ uri: String, _ catalog: any UnitCatalog
  ) throws(Diagnostic) -> UnitFacts {
    do throws(Failure) {
      if let type = try catalog.plugin(uri: uri) {
        return UnitFacts(spec: type.spec, kind: .lv2(uri: uri))
      }
    } catch {
      throw Diagnostic(
        .unusablePlugin, "the LV2 plugin '\(uri)' cannot be used: \(error.message)")
    }
    let search = catalog.pluginSearch
    let nearest = catalog.nearestPlugins(to: uri).prefix(1)
    let folders = search.folders.isEmpty ? "nowhere" : search.folders.joined(separator: ", ")
    let plugins = search.pluginCount == 1 ? "1 plugin" : "\(search.pluginCount) plugins"
    let package = catalog.missingPackage(ofPlugin: uri).map { "install it with: apt install \($0)" }
    let hint =
      (nearest.isEmpty ? "" : "nearest: \(nearest.joined()) · ")
      + "searched: \(folders) (\(plugins))"
    throw Diagnostic(
      .missingPlugin, "no LV2 plugin '\(uri)' is installed",
      hints: (package.map { [$0] } ?? []) + [hint])
  }
}
