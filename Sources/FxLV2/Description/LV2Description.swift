package import FxAudio

/// The description of an installed plugin, and whether fxrun can host it.
package struct LV2Description: Sendable, Hashable {
  package var uri: String
  package var name: String
  /// The last part of its LV2 class: `Compressor`; `Plugin` where it has none.
  package var className: String
  package var author: String?
  /// The URI of its licence.
  package var license: String?
  /// LV2 version numbers; an odd number means a pre-release version.
  package var minorVersion = 0
  package var microVersion = 0
  /// The bundle's folder with a slash at its end.
  package var bundle: String
  /// Other bundles of the search path that contain the plugin too, in search order. They are
  /// ignored.
  package var otherBundles: [String] = []
  /// The shared library; nil when the description names none.
  package var binary: String?
  package var requiredFeatures: [String] = []
  package var optionalFeatures: [String] = []
  var requiredOptions: [String] = []
  package var ports: [LV2Port] = []
  /// The reason why fxrun cannot host it; nil when it can.
  package var refusal: Failure?

  package init(uri: String, name: String, className: String, bundle: String) {
    self.uri = uri
    self.name = name
    self.className = className
    self.bundle = bundle
  }

  /// `LV2 plugin 'urn:a' is in 2 bundles: '/a/x.lv2/' is used …`; nil for one bundle.
  package var copies: String? {
    guard !otherBundles.isEmpty else { return nil }
    let others = otherBundles.map { "'\($0)'" }.joined(separator: ", ")
    return "LV2 plugin '\(uri)' is in \(otherBundles.count + 1) bundles: '\(bundle)' is used, "
      + "because it comes first in the search path; \(others) "
      + (otherBundles.count > 1 ? "are ignored" : "is ignored")
  }

  /// Audio inputs that are neither side-chains nor in a separate group.
  package var mainInputs: [LV2Port] {
    ports.filter { $0.kind == .audio && $0.isInput && !$0.isSideChain && $0.bus == nil }
  }

  package var sideChainInputs: [LV2Port] {
    ports.filter { $0.kind == .audio && $0.isInput && $0.isSideChain }
  }

  package var audioOutputs: [LV2Port] { ports.filter { $0.kind == .audio && !$0.isInput } }

  /// True for an instrument: it plays MIDI, and its audio inputs may be unconnected.
  package var isInstrument: Bool {
    guard !audioOutputs.isEmpty, midiInput != nil else { return false }
    return className == "Instrument" || audioInputCount == 0
  }

  /// True for plugins of the LV2 class of analysers.
  var isAnalyser: Bool { className == "Analyser" }

  package var audioInputCount: Int { ports.count { $0.kind == .audio && $0.isInput } }
  package var audioOutputCount: Int { audioOutputs.count }
  package var canHost: Bool { refusal == nil }

  /// Control inputs that a chain sets.
  var parameterPorts: [LV2Port] {
    ports.filter { $0.kind == .control && $0.isInput && $0.role == nil }
  }

  /// Control outputs that a chain reads.
  package var readingPorts: [LV2Port] {
    ports.filter { $0.kind == .control && !$0.isInput && $0.role == nil }
  }

  package var latencyPort: LV2Port? {
    ports.first { $0.role == .latency && $0.kind == .control && !$0.isInput }
  }

  /// The ports that receive events, and the ports that send events.
  var eventInputPorts: [LV2Port] { ports.filter { $0.isInput && $0.carriesEvents } }
  var eventOutputPorts: [LV2Port] { ports.filter { !$0.isInput && $0.carriesEvents } }

  /// The port that receives MIDI: the one designated for control if it supports MIDI, otherwise the
  /// first that supports MIDI.
  package var midiInput: LV2Port? {
    let inputs = ports.filter { $0.isInput && $0.supportsMIDI }
    return inputs.first(where: \.isControlDesignated) ?? inputs.first
  }

  /// True when the plugin declares that `run` neither blocks nor allocates.
  var claimsRealtime: Bool {
    let features = requiredFeatures + optionalFeatures
    return features.contains(LV2URI.hardRealtimeCapable)
      || features.contains(LV2URI.hardRealtimeCapableMisspelt)
  }

  /// True when the plugin knows or requires blocks of a fixed length.
  var wantsFixedBlocks: Bool {
    (requiredFeatures + optionalFeatures).contains {
      $0 == LV2URI.fixedBlockLength || $0 == LV2URI.powerOf2BlockLength
    }
  }

  /// True when the plugin requires a live host; it gets that feature offline too.
  var requiresLive: Bool { requiredFeatures.contains(LV2URI.isLive) }
}
