import FxAudio
import FxChain
package import FxKit
import Glibc

/// The subject of a plot: a chain file, a built-in unit or an LV2 plugin.
package struct PlotSubject: Sendable {
  package var chain: Chain
  /// `lowPass frequency=1kHz`.
  package var title: String
  /// The beginning of the file name.
  package var fileName: String

  /// The keys of a node that are not parameters.
  private static let nodeKeys: Set = [
    "preset", "wet", "bypass", "latency", "isolated", "state", "id",
  ]

  /// - Parameters:
  ///   - name: a unit's name, a plugin's URI or a chain file.
  ///   - values: the values of a unit or plugin, as `name=value` with values written as in a chain.
  ///   - variables: the variables of a chain.
  /// - Throws: `ChainFailure` if there is no such unit, plugin or chain.
  package init(
    _ name: String, values: [(name: String, value: String)], variables: [String: String] = [:]
  ) throws(ChainFailure) {
    let library = UnitLibrary.shared
    if let spec = library.unit(named: name)?.spec {
      if let mistake = Self.mistake(in: spec) { throw mistake }
      let others = Self.nodeKeys.union(spec.options.map(\.key) + [spec.list?.key].compactMap { $0 })
      chain = Self.chain(named: name, key: "unit", values) { !others.contains($0) }
      fileName = spec.id
    } else if name == Chain.empty.path, values.isEmpty {
      (chain, title, fileName) = (.empty, name, name)
      return
    } else if Self.isFile(name) || ShippedChains.installed.means(name) {
      guard values.isEmpty else {
        throw ChainFailure(
          .request, code: .usage,
          "'\(values[0].name)=\(values[0].value)' is for units and plugins; the values of a chain "
            + "are set with --set node.parameter=value")
      }
      chain = try Chain(named: name, variables: variables)
      let file = name.split(separator: "/").last.map(String.init) ?? name
      title = file
      fileName = file.lowercased().hasSuffix(".json") ? String(file.dropLast(5)) : file
      return
    } else if name.contains(":") {
      chain = Self.chain(named: name, key: "lv2", values) { !Self.nodeKeys.contains($0) }
      let last = name.split { "/#:".contains($0) }.last.map(String.init) ?? "plugin"
      fileName = String(last.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" })
    } else {
      throw ChainFailure(
        .request, code: .unknownUnit, "there is no unit and no file '\(name)'",
        hints: Suggestion.hint(
          for: name,
          in: library.unitNames + library.earlierNames + ShippedChains.installed.names))
    }
    title = ([name] + values.map { "\($0.name)=\($0.value)" }).joined(separator: " ")
  }

  /// True for a name that looks like a file.
  private static func isFile(_ name: String) -> Bool {
    let isPath = name.hasSuffix(".json") || name.contains("/") && !name.contains(":")
    return isPath || access(name, F_OK) == 0
  }

  private static func mistake(in spec: UnitSpec) -> ChainFailure? {
    guard spec.list?.givesOutputs != true else {
      return ChainFailure(
        .request, code: .severalOutputs,
        "'\(spec.id)' has an output for each \(spec.list?.element ?? "part"); plot a chain that names "
          + "them, and one of its outputs with --output")
    }
    guard !spec.isModulator else {
      return ChainFailure(
        .request, code: .noSound,
        "'\(spec.id)' makes a control signal and no sound; plot a chain in which it moves something"
      )
    }
    return nil
  }

  /// A chain of one node.
  private static func chain(
    named name: String, key: String, _ values: [(name: String, value: String)],
    isParameter: (String) -> Bool
  ) -> Chain {
    func members(_ values: [(name: String, value: String)]) -> String {
      values.map { ",\n    \(quoted($0.name)): \(json($0.value))" }.joined()
    }
    let parameters = values.filter { isParameter($0.name) }
    let others = values.filter { !isParameter($0.name) }
    let inner = members(parameters).dropFirst(1)
    let block = parameters.isEmpty ? "" : ",\n    \"parameters\": {\(inner) }"
    return Chain(
      json: """
        { "version": 2, "chain": [
          { \(quoted(key)): \(quoted(name))\(members(others))\(block) } ] }
        """, path: name)
  }

  /// A value of the command line as JSON: lists, objects, numbers and booleans unchanged,
  /// everything else as text.
  private static func json(_ value: String) -> String {
    if value.hasPrefix("[") || value.hasPrefix("{") || value == "true" || value == "false" {
      return value
    }
    let isNumber = value.first.map { $0.isASCII && ($0.isNumber || $0 == "-") } ?? false
    if isNumber, let number = Double(value), number.isFinite {
      return JSONOutput.number(number).text(indented: false)
    }
    return quoted(value)
  }

  private static func quoted(_ text: String) -> String {
    JSONOutput.string(text).text(indented: false)
  }
}
