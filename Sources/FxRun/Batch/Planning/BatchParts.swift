import FxAudio
import FxChecks
import FxKit
import FxMedia

/// The files that one job of a batch with `--split` writes, by the template of their names:
/// `done/take-{n}.flac`.
///
/// A worker writes them into a hidden folder beside their names. They get the names together, when
/// the whole input is done.
struct BatchParts: Sendable, Equatable {
  /// With a number: `done/take.flac` is `done/take-{n}.flac`.
  let template: String
  /// The folder of the files, with its slash.
  private let folder: String
  private let hidden: String

  /// - Throws: `Failure` for a text that is no template, or with fields in the name of a folder.
  init(_ text: String) throws(Failure) {
    let names = try PartNames(text, input: nil)
    template = names.template.text
    guard let folder = names.folder else {
      throw Failure(
        .usage, "{n} and {title} belong to the name of the file, not of a folder",
        hints: ["{path}/{n}.flac makes a folder for each input"])
    }
    self.folder = folder
    hidden = ".fxrun-parts-\(String(BatchDigest.number(of: template), radix: 16))"
  }

  /// The folder in which a worker writes.
  var workFolder: String { folder + hidden }

  /// The template in that folder.
  var workTemplate: String {
    let name = template.lastIndex(of: "/").map { template[template.index(after: $0)...] }
    return Self.escaped("\(workFolder)/") + (name ?? template[...])
  }

  /// The final name of a file that a worker has written.
  func name(of written: String) -> String {
    folder + (written.lastIndex(of: "/").map { written[written.index(after: $0)...] } ?? "")
  }

  /// Removes what a worker has written and nobody has taken.
  func clear() { WholeFile.remove(workFolder) }

  /// A text with its braces doubled, so that a template contains it literally.
  static func escaped(_ text: String) -> String {
    text.replacing("{", with: "{{").replacing("}", with: "}}")
  }
}
