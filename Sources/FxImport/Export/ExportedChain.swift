package import FxChain
package import FxKit

/// A configuration of another program, made from a chain, and the report of what became of each node.
package struct ExportedChain: Sendable {
  package let text: String
  package let report: ImportReport

  /// The formats that fxrun writes.
  package static let formats: [ForeignFormat] = [
    .camillaDSP, .equalizerAPO, .ffmpeg, .pipeWire, .sox,
  ]

  /// - Throws: `ChainFailure` for a chain with mistakes, and for one that is not in a line.
  package init(_ chain: Chain, to format: ForeignFormat) throws(ChainFailure) {
    let reader = try ExportReader(chain)
    switch format {
    case .camillaDSP: text = CamillaDSPExport(reader).text()
    case .equalizerAPO: text = EqualizerAPOExport(reader).text()
    case .ffmpeg: text = EffectsExport(reader, FFmpegProgram()).text()
    case .pipeWire: text = PipeWireExport(reader).text()
    case .sox: text = EffectsExport(reader, SoxProgram()).text()
    case .audacity, .bruteFIR, .easyEffects, .ecasound, .jconvolver, .modUI, .piPedal:
      throw ChainFailure(
        .request, code: .usage,
        "fxrun exports to \(Self.formats.map(\.rawValue).joined(separator: ", "))")
    }
    for part in reader.parts { part.source.settle() }
    report = ImportReport(
      format, path: reader.path, reader.parts.flatMap { $0.source.parts(of: format.name) })
  }
}

extension ExportReader.Part {
  /// The outcome of a step that the format does not have.
  func refuse(_ step: ExportStep, _ program: String) {
    let what =
      switch step {
      case .filter(let filter): "a \(filter.kind.rawValue) of order \(filter.order)"
      case .gain: "this gain"
      case .delay: "a delay"
      case .routes: "routes between channels"
      case .impulse: "an impulse"
      case .section: "coefficients"
      case .curve: "a curve"
      case .compressor: "a compressor"
      case .limiter: "a limiter"
      }
    source.turn(.notPossible("\(program) does not have \(what)"))
  }
}
