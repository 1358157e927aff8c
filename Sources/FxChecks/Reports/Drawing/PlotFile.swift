package import FxKit

/// Writes a drawing as a file that appears complete or not at all.
package enum PlotFile {
  package enum Format: String, Sendable {
    case svg, png
  }

  /// The format for the ending of a name; nil for other endings.
  package static func format(of path: String) -> Format? {
    let end = path.lowercased().split(separator: ".").last.map(String.init)
    return path.contains(".") ? end.flatMap(Format.init) : nil
  }

  package static func exists(_ path: String) -> Bool { WholeFile.exists(path) }

  /// - Throws: `ChainFailure` of kind `output`.
  package static func write(
    _ drawing: Drawing, _ theme: Drawing.Theme, isPNG: Bool, to path: String
  ) throws(ChainFailure) {
    if isPNG {
      try WholeFile.write(bytes: drawing.png(theme), to: path)
    } else {
      try WholeFile.write(drawing.svg(theme), to: path)
    }
  }
}
