import ArgumentParser
import FxChecks
import FxKit

/// The file for a drawing.
struct PictureArguments: ParsableArguments {
  @Option(
    name: .customShort("o"),
    help: ArgumentHelp(
      "Draw into this file, SVG or PNG; - is SVG on standard output.", valueName: "file"),
    completion: .file(extensions: ["svg", "png"]))
  var output: String?

  @Option(
    help: ArgumentHelp(
      "light, dark, or auto: as whoever shows the file prefers (SVG only).", valueName: "theme"),
    completion: .list(["light", "dark", "auto"]))
  var theme = "auto"

  /// True if the drawing goes to standard output.
  var isOnOutput: Bool { output == "-" }

  func validate() throws {
    guard Drawing.Theme(rawValue: theme) != nil else {
      throw ValidationError("--theme must be light, dark or auto, not '\(theme)'")
    }
    if let output, !isOnOutput, PlotFile.format(of: output) == nil {
      throw ValidationError("-o: the name of a picture ends in .svg or .png, not '\(output)'")
    }
  }

  /// - Throws: `ChainFailure` of kind `output`.
  func write(_ drawing: Drawing, to file: String) throws(ChainFailure) {
    let theme = Drawing.Theme(rawValue: theme) ?? .auto
    guard file != "-" else { return Output.write(drawing.svg(theme), to: .output) }
    try PlotFile.write(drawing, theme, isPNG: PlotFile.format(of: file) == .png, to: file)
  }
}
