import FxAudio
import FxChain
import FxEngine
import FxKit

/// The chain file of a lint: its graph, and the places of its nodes in the text.
struct LintText: Sendable {
  let built: BuiltChain
  private let diagnostics: Diagnostics
  private let path: String

  init(_ testCase: TestCase) throws(ChainFailure) {
    let chain = try Chain(named: testCase.chain, variables: testCase.variables)
    var request = RenderRequest()
    request.settings = testCase.settings
    request.scene = testCase.scene
    let settings = CompiledChain.Settings.check(
      request, sampleRate: testCase.sampleRate, channels: testCase.channels)
    (built, diagnostics) = try chain.read(settings).built(settings)
    path = testCase.chain
  }

  var graph: Graph { built.graph }

  var hasPlugins: Bool { graph.nodes.contains { $0.pluginURI != nil } }

  func blockSize(_ testCase: TestCase) -> Int {
    testCase.blockSize ?? built.blockSize ?? CompiledChain.defaultBlockSize
  }

  func index(ofNode id: String) -> Int? { graph.nodes.firstIndex { $0.id == id } }

  func id(_ node: Int) -> String { graph.nodes.indices.contains(node) ? graph.nodes[node].id : "?" }

  /// A finding about a node, at the node's line.
  func finding(
    _ code: DiagnosticCode, _ node: Int, _ message: String, hint: String,
    severity: Diagnostic.Severity? = nil, _ figures: KeyValuePairs<String, Double> = [:]
  ) -> LintFinding {
    LintFinding(
      built.diagnostic(forNode: node, code, message, hints: [hint], severity: severity),
      node: graph.nodes.indices.contains(node) ? graph.nodes[node].id : nil,
      figures: figures.map { LintFinding.Figure(name: $0.key, value: $0.value) })
  }

  /// A finding about a part of the chain that the signals do not exercise.
  func finding(_ part: Exercise.Part) -> LintFinding {
    finding(
      .notExercised, part.node,
      "the input does not exercise \(part.words): without it the sound is the same",
      hint:
        "a golden of this sound does not show whether it works; give it louder, longer or other "
        + "inputs", severity: .note)
  }

  /// A finding about a warning that a render has printed, at the node whose plugin it names.
  func finding(_ warning: String) -> LintFinding {
    let named = graph.nodes.firstIndex { node in
      node.pluginURI.map { uri in
        warning.indices.contains { place in
          ["'\(uri)'", "(\(uri))"].contains { warning[place...].hasPrefix($0) }
        }
      } ?? false
    }
    guard let named else {
      return LintFinding(Diagnostic(.renderWarning, warning, origin: path))
    }
    return finding(
      .renderWarning, named, warning,
      hint: "other hosts may not survive this; tell it to the plugin's author")
  }

  /// The findings without rendering: the chain's own warnings and notes, and plugins that cannot be
  /// played live.
  func findings(isLive: Bool) -> [LintFinding] {
    var findings = diagnostics.all.map { LintFinding($0) }
    guard isLive || namesDevice else { return findings }
    for (index, node) in graph.nodes.enumerated() {
      guard let uri = node.pluginURI,
        let type = try? UnitLibrary.shared.plugin(uri: uri), !type.spec.isRealtimeCapable
      else { continue }
      findings.append(
        finding(
          .notRealtime, index,
          "'\(node.id)' is played live, and its plugin does not claim to be real-time capable",
          hint: "expect dropouts; \"isolated\": true keeps them to this node", severity: .warning))
    }
    return findings
  }

  private var namesDevice: Bool {
    graph.nodes.contains { node in
      switch node.content {
      case .source(let endpoint): endpoint.nature == .device
      case .sink(let endpoint, _): endpoint.nature == .device
      case .unit: false
      }
    }
  }
}

extension Graph.Node {
  /// nil except for LV2 plugins.
  var pluginURI: String? {
    guard case .unit(let unit) = content, case .lv2(let uri) = unit.kind else { return nil }
    return uri
  }
}

/// `-93.2 dB`.
func decibelText(_ amplitude: Double) -> String {
  "\(oneDecimal(Math.decibels(amplitude: amplitude))) dB"
}

/// `-93.2`; `-inf` for silence.
func oneDecimal(_ value: Double) -> String {
  guard value.isFinite, abs(value) < 1e9 else { return value < 0 ? "-inf" : "inf" }
  let tenths = Int((value * 10).rounded())
  return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
}
