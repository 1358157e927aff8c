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
    let sources: [SourceValue]
    switch format {
    case .audacity:
      let audacity = AudacityImport(text, importing)
      (graph, sources) = (audacity.graph, audacity.lines)
    case .bruteFIR:
      let sections = try BruteFIRParser.sections(text, path: path)
      let bruteFIR = BruteFIRImport(sections, importing)
      (graph, sources) = (bruteFIR.graph, bruteFIR.sources)
    case .camillaDSP:
      let source = try YAMLParser.value(text, path: path)
      (graph, sources) = (CamillaDSPImport(source, importing).graph(), [source])
    case .easyEffects:
      let source = try YAMLParser.value(text, path: path)
      (graph, sources) = (EasyEffectsImport(source, importing).graph(), [source])
    case .ecasound:
      let ecasound = EcasoundImport(text, importing)
      (graph, sources) = (ecasound.graph(), ecasound.parts)
    case .equalizerAPO:
      let apo = EqualizerAPOImport(TextEncoding.text(bytes) ?? text, importing)
      (graph, sources) = (apo.graph, apo.lines)
    case .ffmpeg:
      let ffmpeg = FFmpegImport(text, importing)
      (graph, sources) = (ffmpeg.graph, ffmpeg.filters)
    case .jconvolver:
      let jconvolver = JconvolverImport(text, importing)
      (graph, sources) = (jconvolver.graph, jconvolver.lines)
    case .modUI:
      let modUI = ModUIImport(try TurtleParser.statements(text, path: path), importing)
      (graph, sources) = (modUI.graph, modUI.sources)
    case .piPedal:
      let source = try YAMLParser.value(text, path: path)
      (graph, sources) = (PiPedalImport(source, importing).graph(), [source])
    case .pipeWire:
      let source = try SPAParser.value(text, path: path)
      (graph, sources) = (PipeWireImport(source, importing).graph(), [source])
    case .sox:
      let sox = SoxImport(text, importing)
      (graph, sources) = (sox.graph, sox.effects)
    }
    report = ImportReport(format, path: path, sources.flatMap { $0.parts(of: format.name) })
    files = importing.files
  }
}
