import FxAudio
package import FxChain
package import FxKit

/// A chain made from another program's configuration, and the report of what became of each part of it.
package struct ImportedChain: Sendable {
  package let graph: ChainGraph
  /// The files that the chain reads.
  package let files: [ImportedFile]
  package let report: ImportReport

  /// Reads a configuration.
  ///
  /// - Parameters:
  ///   - bytes: the content of its file.
  ///   - path: the file, as messages name it.
  ///   - target: where the chain will stand.
  ///   - format: the format; nil to recognize it by the content.
  /// - Throws: `ChainFailure` of kind `input` for a file of no known format, and for one that is not
  ///   well-formed.
  package init(
    bytes: [UInt8], path: String, target: ImportTarget, format: ForeignFormat? = nil
  ) throws(ChainFailure) {
    guard let format = format ?? ForeignFormat(recognizing: bytes) else {
      throw ChainFailure(
        .input, code: .unsupportedFormat,
        "\(path): this is no configuration that fxrun can import",
        path: path,
        hints: ["fxrun imports \(ForeignFormat.allCases.map(\.name).joined(separator: ", "))"])
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let importing = Importing(target)
    switch format {
    case .audacity:
      let audacity = AudacityImport(text, importing)
      graph = audacity.graph
      report = ImportReport(
        format, path: path, audacity.lines.flatMap { $0.parts(of: format.name) })
    case .piPedal:
      let source = try YAMLParser.value(text, path: path)
      graph = PiPedalImport(source, importing).graph()
      report = ImportReport(format, path: path, source.parts(of: format.name))
    case .camillaDSP:
      let source = try YAMLParser.value(text, path: path)
      let camilla = CamillaDSPImport(source, importing)
      graph = camilla.graph()
      report = ImportReport(format, path: path, source.parts(of: format.name))
    case .easyEffects:
      let source = try YAMLParser.value(text, path: path)
      graph = EasyEffectsImport(source, importing).graph()
      report = ImportReport(format, path: path, source.parts(of: format.name))
    case .equalizerAPO:
      let apo = EqualizerAPOImport(TextEncoding.text(bytes) ?? text, importing)
      graph = apo.graph
      report = ImportReport(format, path: path, apo.lines.flatMap { $0.parts(of: format.name) })
    case .ffmpeg:
      let ffmpeg = FFmpegImport(text, importing)
      graph = ffmpeg.graph
      report = ImportReport(
        format, path: path, ffmpeg.filters.flatMap { $0.parts(of: format.name) })
    case .jconvolver:
      let jconvolver = JconvolverImport(text, importing)
      graph = jconvolver.graph
      report = ImportReport(
        format, path: path, jconvolver.lines.flatMap { $0.parts(of: format.name) })
    case .sox:
      let sox = SoxImport(text, importing)
      graph = sox.graph
      report = ImportReport(format, path: path, sox.effects.flatMap { $0.parts(of: format.name) })
    case .pipeWire:
      let source = try SPAParser.value(text, path: path)
      graph = PipeWireImport(source, importing).graph()
      report = ImportReport(format, path: path, source.parts(of: format.name))
    }
    files = importing.files
  }
}
