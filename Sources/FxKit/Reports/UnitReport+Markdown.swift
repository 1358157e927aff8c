import FxAudio
import FxChain
import FxUnits

extension UnitReport {
  /// The whole reference page, `docs/units.md`.
  package static func page(_ reports: [UnitReport]) -> String {
    let specs = reports.map(\.spec)
    var lines = [
      "# Units",
      "",
      "The built-in units of fxrun \(Release.version), as `fxrun units` prints them; this page is made",
      "with `fxrun units --markdown`. Every unit with one main input also has `wet` (0…1) and",
      "`bypass` (true or false), and any parameter can be automated, or set with",
      "`--set node.parameter=value`.",
      "",
      "Times are for stereo with the defaults on one core of an AMD EPYC, where a frame at 48 kHz lasts",
      "20833 ns. The command below a picture draws it ([`fxrun plot`](command-line.md#plot)).",
      "",
      specs.map { "[`\($0.id)`](#\($0.id.lowercased()))" }.joined(separator: " · "),
    ]
    for report in reports { lines += ["", report.markdown] }
    return lines.joined(separator: "\n")
  }

  private var markdown: String {
    var lines = ["## \(spec.id)", "", spec.summary]
    if spec.wet != 1 { lines[2] += " `wet` is \(shortNumber(spec.wet)) by default." }
    if let measures = spec.measures {
      lines[2] +=
        spec.rendersUnmeasured
        ? " It measures the \(measures) of the whole sound before the render, except live."
        : " It measures the \(measures) of the whole sound before the render, so not live."
    }
    lines += pageLines
    table(
      "parameter",
      spec.parameters.map { ($0.id, Self.range($0), Self.value($0), $0.summary) }, &lines)
    table("option (fixed while it runs)", spec.options.map(optionRow), &lines)
    if let list = spec.list {
      let form = list.form == .ordered ? "a list" : "an object by name"
      let isBare = list.options.isEmpty && list.parameters.isEmpty
      lines += [
        "",
        isBare
          ? "`\(list.key)`: \(form); each \(list.element) is an input of that name, and has no keys: `{}`"
          : "`\(list.key)`: \(form); each \(list.element) has",
      ]
      table(
        "key",
        list.options.map(optionRow)
          + list.parameters.map { ($0.id, Self.range($0), Self.value($0), $0.summary) }, &lines)
    }
    if !spec.presets.isEmpty {
      lines += ["", "| preset | | |", "|---|---|---|"]
      lines += spec.presets.map { "| `\($0.name)` | \(values(of: $0)) | \($0.summary) |" }
    }
    if !spec.readings.isEmpty {
      lines += [
        "",
        "Readings: "
          + spec.readings.map {
            "`\($0.id)`\(Self.suffix($0.measure).isEmpty ? "" : " (\($0.measure.rawValue))"): \($0.summary)"
          }
          .joined(separator: " "),
      ]
    }
    if !earlier.isEmpty {
      let names = earlier.map { "`\($0.revisionName)`" }.joined(separator: ", ")
      lines += ["", "This is revision \(spec.revision). Earlier: \(names)."]
    }
    if setsLayout {
      lines += [
        "",
        "The output has the usual [layout](chain-format.md#channel-layouts) of its width.",
      ]
    }
    let optional = spec.inputs.filter(\.isOptional).map { "`\($0.name)`" }
    if !optional.isEmpty {
      lines += ["", "Optional input: \(optional.joined(separator: ", "))."]
    }
    return lines.joined(separator: "\n")
  }

  /// Its use, its latency and cost, the source of its method, and its plot.
  private var pageLines: [String] {
    guard let page else { return [] }
    var lines = ["", page.usage]
    lines[1] += [latency, cost].compactMap { $0 }.map { " \($0)" }.joined()
    if let source = page.source { lines += ["", "Source: \(source)"] }
    if let plot = page.plot {
      let command = "fxrun plot \(spec.id)\(plot.isEmpty ? "" : " \(plot)")"
      lines += ["", "![The plot of \(spec.id)](plots/\(spec.id).svg)", "", "`\(command)`"]
    }
    return lines
  }

  private var cost: String? {
    BuiltInUnits.costs[spec.id].map { "It takes about \(UnitReport.number($0)) ns a stereo frame." }
  }

  /// Its latency with default options; nil if an option has no default or the unit is a modulator.
  private var latency: String? {
    guard !spec.isModulator, spec.options.allSatisfy({ $0.defaultValue != nil }) else { return nil }
    let alone = Chain(json: "{\"version\":1,\"chain\":[{\"unit\":\"\(spec.id)\"}]}")
    guard
      let frames = (try? alone.planned().latency) ?? latency(from: "") ?? latency(from: ":band1")
    else { return nil }
    return frames == 0
      ? "It has no latency."
      : "It is \(Text.count(frames, "frame")) late at 48 kHz (\(Text.decimal(Double(frames) / 48, 1)) ms)."
  }

  /// The latency of one of its outputs, with two bands.
  private func latency(from output: String) -> Int? {
    let chain = Chain(
      json: """
        { "version": 2,
          "nodes": { "in": { "source": "main" }, "out": { "sink": "main" },
            "unit": { "unit": "\(spec.id)", "bands": [{}, {}] } },
          "connections": ["in -> unit", "unit\(output) -> out"] }
        """)
    return try? chain.planned().latency
  }

  private typealias Cells = (String, String, String, String)

  private func optionRow(_ option: OptionSpec) -> Cells {
    (
      option.key, Self.range(option).components(before: ", default"),
      option.defaultValue.map(Self.text) ?? "required", option.summary
    )
  }

  private func table(_ title: String, _ rows: [Cells], _ lines: inout [String]) {
    guard !rows.isEmpty else { return }
    lines += ["", "| \(title) | values | default | |", "|---|---|---|---|"]
    lines += rows.map { "| `\($0.0)` | \($0.1) | \($0.2) | \($0.3) |" }
  }
}

extension String {
  /// The text before the last occurrence of another.
  fileprivate func components(before mark: String) -> String {
    guard let range = ranges(of: mark).last else { return self }
    return String(self[..<range.lowerBound])
  }
}
