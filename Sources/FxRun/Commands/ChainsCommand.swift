import ArgumentParser
import FxAudio
import FxChain
import FxKit

/// Lists the chains that are installed with fxrun.
struct ChainsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "chains",
    abstract: "List the chains that are installed with fxrun, or print where one is.",
    discussion: """
      Their names stand for their files: fxrun podcast-voice take.wav. For a chain of your own, copy \
      the file that fxrun chains podcast-voice names. Files that a chain names are relative to its \
      folder.
      """)

  @Argument(help: "The name of a chain.", completion: .list(ShippedChains.installed.names))
  var chain: String?

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let shipped = ShippedChains.installed
    do throws(ChainFailure) {
      guard !shipped.names.isEmpty else {
        throw ChainFailure(
          .input, code: .notFound, "no chains are installed: \(shipped.folder) has none",
          path: shipped.folder)
      }
      guard let chain else { return list(shipped) }
      guard let path = shipped.path(of: chain) else {
        throw ChainFailure(
          .request, code: .notFound, "there is no installed chain '\(chain)'",
          hints: Suggestion.hint(for: chain, in: shipped.names))
      }
      if json { Output.json(Self.json(chain, path)) } else { Output.line(path) }
    } catch {
      throw FailureReport.report(error, asJSON: json)
    }
  }

  private func list(_ shipped: ShippedChains) {
    let chains = shipped.names.compactMap { name in shipped.path(of: name).map { (name, $0) } }
    guard !json else { return Output.json(.array(chains.map(Self.json))) }
    let width = chains.map(\.0.count).max() ?? 0
    for (name, path) in chains {
      let comment = ForeignText.visible(Self.comment(path))
      let gap = String(repeating: " ", count: width - name.count + 2)
      Output.line(comment.isEmpty ? name : name + gap + comment)
    }
  }

  private static func json(_ name: String, _ path: String) -> JSONOutput {
    .members([
      "name": .string(name), "file": .string(path), "comment": .string(comment(path)),
    ])
  }

  /// What the chain says about itself: for whom it is.
  private static func comment(_ path: String) -> String {
    guard let bytes = try? ChainFile.readNamed(path) else { return "" }
    var found = Diagnostics()
    let document = JSONDocument.read(SourceText(path: path, bytes: bytes), into: &found)
    return document?.root.members.first { $0.key.string == "comment" }?.value.string ?? ""
  }
}
