/// The kind of a mistake: stable names for editors, scripts and tests.
package enum DiagnosticCode: String, Sendable, Hashable, CaseIterable {
  // The file.
  case unreadableFile = "unreadable"
  case damagedSound = "damaged-sound"
  case tooLarge = "too-large"
  case invalidUTF8 = "invalid-utf8"
  case invalidJSON = "invalid-json"
  case tooDeep = "too-deep"
  case duplicateKey = "duplicate-key"
  // The document.
  case newerVersion = "newer-version"
  case unknownKey = "unknown-key"
  case missingKey = "missing-key"
  case conflictingKeys = "conflicting-keys"
  case wrongType = "wrong-type"
  case invalidName = "invalid-name"
  case duplicateName = "duplicate-name"
  case invalidConnection = "invalid-connection"
  case unknownVariable = "unknown-variable"
  case misplacedNode = "misplaced-node"
  case notSupportedYet = "not-supported-yet"
  // Values.
  case invalidValue = "invalid-value"
  case wrongUnit = "wrong-unit"
  case outOfRange = "out-of-range"
  case notAChoice = "not-a-choice"
  case notAnInteger = "not-an-integer"
  case needsSampleRate = "needs-sample-rate"
  case needsTempo = "needs-tempo"
  case changingBeat = "changing-beat"
  case unusedLine = "unused-line"
  // Units and plugins.
  case unknownUnit = "unknown-unit"
  case unknownRevision = "unknown-revision"
  case missingPlugin = "missing-plugin"
  case unusablePlugin = "unusable-plugin"
  case unknownParameter = "unknown-parameter"
  case unusedParameter = "unused-parameter"
  case noDrySignal = "no-dry-signal"
  case unknownPreset = "unknown-preset"
  case ambiguousPreset = "ambiguous-preset"
  case unusableState = "unusable-state"
  case unfitState = "unfit-state"
  case unknownProperty = "unknown-property"
  case noMIDIInput = "no-midi-input"
  case invalidMIDI = "invalid-midi"
  case notRealtime = "not-realtime"
  // References.
  case unknownNode = "unknown-node"
  case ambiguousNode = "ambiguous-node"
  case unknownPort = "unknown-port"
  case noControlSignal = "no-control-signal"
  case unknownInput = "unknown-input"
  case unknownOutput = "unknown-output"
  case unboundInput = "unbound-input"
  case unboundOutput = "unbound-output"
  // The graph.
  case duplicateConnection = "duplicate-connection"
  case invalidRegion = "invalid-region"
  case duplicateSource = "duplicate-source"
  case duplicateSink = "duplicate-sink"
  case duplicateClock = "duplicate-clock"
  case noOutput = "no-output"
  case unfedNode = "unfed-node"
  case unfedOutput = "unfed-output"
  case unfedStrip = "unfed-strip"
  case danglingNode = "dangling-node"
  case cycle
  case loopDelay = "loop-delay"
  case width
  case layout
  case useCycle = "use-cycle"
  case needsWholeSound = "needs-whole-sound"
  case memoryLimit = "memory-limit"
  // Rates.
  case mixedRates = "mixed-rates"
  // Automation.
  case pointOrder = "point-order"
  case invalidCurve = "invalid-curve"
  case automationTime = "automation-time"
  case duplicateAutomation = "duplicate-automation"
  // Scenes.
  case unknownScene = "unknown-scene"
  // Case files.
  case unknownSignal = "unknown-signal"
  case inexactInput = "inexact-input"
  // Findings of `fxrun lint`.
  case heapDependent = "heap-dependent"
  case unwrittenMemory = "unwritten-memory"
  case instanceDependent = "instance-dependent"
  case runDependent = "run-dependent"
  case blockDependent = "block-dependent"
  case clipping
  case overload
  case weakSignal = "weak-signal"
  case dcOffset = "dc-offset"
  case limitedParameter = "limited-parameter"
  case denormals
  case silentOutput = "silent-output"
  case unalignedLatency = "unaligned-latency"
  case tailCut = "tail-cut"
  case notExercised = "not-exercised"
  case notFinite = "not-finite"
  case renderWarning = "render-warning"

  /// One sentence for `docs/diagnostics.md`.
  package var summary: String {
    switch self {
    case .unreadableFile: "A file that the chain uses cannot be read."
    case .damagedSound: "A sound that a unit uses is damaged; the readable part is used."
    case .tooLarge: "The file, or the chain with its included chains, is too large."
    case .invalidUTF8: "The file is not UTF-8."
    case .invalidJSON: "The text is not JSON (RFC 8259). Reading stops here."
    case .tooDeep: "Objects and lists are nested more than 200 deep. Reading stops here."
    case .duplicateKey: "An object has the same key twice."
    case .newerVersion: "The chain was written for a later version of the format."
    case .unknownKey: "An object has an unknown key."
    case .missingKey: "A key or a build option that must be given is missing."
    case .conflictingKeys: "Two keys exclude each other."
    case .wrongType: "A value is of the wrong JSON type."
    case .invalidName: "An id is not a letter followed by letters, digits, `-` and `_`."
    case .duplicateName: "Two nodes, bands or strips have the same id."
    case .invalidConnection: "A connection cannot be read as `a -> b`, or contradicts itself."
    case .unknownVariable: "A variable is used or defined that the chain does not declare."
    case .misplacedNode: "A source or a sink stands inside a list instead of at its end."
    case .notSupportedYet: "A part of the format that this version reads but does not run."
    case .invalidValue: "A value cannot be read as a quantity."
    case .wrongUnit: "A value's unit of measure does not fit the parameter."
    case .outOfRange: "A value is below the minimum or above the maximum. Nothing is clamped."
    case .notAChoice: "A value is none of the choices."
    case .notAnInteger: "A value must be a whole number."
    case .needsSampleRate: "A value in frames where no sample rate is known."
    case .needsTempo: "A value in beats where the chain has no `tempo`."
    case .changingBeat:
      "A time as a note where the metres of the chain count different notes as a beat."
    case .unusedLine: "A line of an equalizer file is not used, or not all of it."
    case .unknownUnit: "There is no built-in unit of that name."
    case .unknownRevision: "This version does not have that revision of a unit."
    case .missingPlugin: "No LV2 plugin of that URI is installed."
    case .unusablePlugin: "An LV2 plugin is installed but cannot be used; the message says why."
    case .unknownParameter: "A node has no parameter of that name."
    case .unusedParameter:
      "A parameter has no effect with the build options of its unit, such as `q` with `order` 4."
    case .noDrySignal: "`wet` or `bypass` on a unit that has no single main input to pass on."
    case .unknownPreset: "A unit or an LV2 plugin has no preset of that name, label or URI."
    case .ambiguousPreset: "Several presets of an LV2 plugin have that label."
    case .unusableState: "A preset or a saved state cannot be read, or is another plugin's."
    case .unfitState: "A preset or a state has a value that does not fit the plugin."
    case .unknownProperty: "An LV2 plugin has no property of that name."
    case .noMIDIInput: "`midi` on a unit or a plugin without a MIDI input."
    case .invalidMIDI: "A MIDI file is broken, or (a warning) lacks tracks; the message says where."
    case .notRealtime: "A plugin that is played live does not declare itself real-time capable."
    case .unknownNode: "A reference names a node that the chain does not have."
    case .ambiguousNode: "A reference names one of several nodes without ids of their own."
    case .unknownPort: "A node has no such port, or none in that direction."
    case .noControlSignal: "A modulation comes from a port that gives no control signal."
    case .unknownInput: "`--input` binds a name that no source of the chain has."
    case .unknownOutput: "`--output` binds a name that no sink of the chain has."
    case .unboundInput: "An input of the chain has no file or device."
    case .unboundOutput: "An output of the chain has no file or device."
    case .duplicateConnection: "The same connection is written twice; the signal would be doubled."
    case .invalidRegion: "A region of a player cannot be played as the chain says."
    case .duplicateSource: "Two source nodes are the same input."
    case .duplicateSink:
      "Two sink nodes are the same output, write the same file or play on the same device."
    case .duplicateClock: "Two sound devices have `clock`; only one can set the pace of a chain."
    case .noOutput: "The chain has no sink."
    case .unfedNode: "Nothing feeds a node, or no source reaches it."
    case .unfedOutput: "Nothing feeds a sink."
    case .unfedStrip: "A strip is declared that nothing feeds."
    case .danglingNode: "A node's output is not connected. Only that of a meter may be unconnected."
    case .cycle: "Connections form a loop that is not declared with `feedback`."
    case .loopDelay: "A loop's delay is missing, or shorter than the latency inside the loop."
    case .width: "A signal's channels do not fit the input that they lead to."
    case .layout: "A connection joins channels of different names."
    case .useCycle: "Chains use each other in a circle, or too deep."
    case .needsWholeSound:
      "A node measures the whole sound before it renders, and the chain is played live."
    case .memoryLimit: "The chain needs more memory than it may have (`--memory`)."
    case .mixedRates:
      "Sources have different sample rates; those at another than the chain's are resampled."
    case .pointOrder: "Automation points are not sorted by time."
    case .invalidCurve:
      "A curve of an automation or of a MIDI mapping cannot lead from one value to the next."
    case .automationTime:
      "The render begins later than the input (`--start`), and automation counts from the start of the input."
    case .duplicateAutomation:
      "A parameter is automated twice, or automated and set by a scene or by MIDI."
    case .unknownScene: "No scene of the chain has this name."
    case .unknownSignal: "No test signal has this name."
    case .inexactInput: "A case is exact, but its input differs from machine to machine."
    case .heapDependent: "A node's output depends on what memory held before."
    case .unwrittenMemory:
      "A plugin reads memory that it has not written; fxrun gives it zeros, other hosts may not."
    case .instanceDependent: "A node's output differs the second time in one process."
    case .runDependent: "A node's output differs in every run."
    case .blockDependent: "A node's output depends on the block size."
    case .clipping: "An output peaks above full scale and is clipped."
    case .overload: "A plugin receives peaks above full scale and clips."
    case .weakSignal: "A signal is made very quiet and then amplified again."
    case .limitedParameter: "Modulation keeps a parameter at an end of its range."
    case .dcOffset: "A node adds a DC offset that its input does not have."
    case .denormals: "A plugin makes numbers so small that processors are slow with them."
    case .silentOutput: "An output is silent although the inputs are not."
    case .renderWarning:
      "A render has printed a warning, such as a plugin that crashes while it is cleaned up."
    case .unalignedLatency:
      "A plugin's latency differs from what it reports, and its output is mixed with a dry signal."
    case .notExercised:
      "The input does not exercise a node or a connection: without it the sound is the same."
    case .tailCut: "The sound ends while it can still be heard."
    case .notFinite: "A sample is not a number or infinite."
    }
  }

  /// The severity, unless the message has its own.
  package var severity: Diagnostic.Severity {
    switch self {
    case .damagedSound, .duplicateConnection, .unfedStrip, .inexactInput, .layout: .warning
    case .unfitState, .notRealtime, .unwrittenMemory, .denormals, .mixedRates,
      .automationTime, .notExercised, .unusedLine:
      .note
    case _ where isLint: .warning
    default: .error
    }
  }

  /// True for a finding of `fxrun lint`, which comes from rendering, not from the chain file.
  package var isLint: Bool {
    switch self {
    case .heapDependent, .unwrittenMemory, .instanceDependent, .runDependent, .blockDependent,
      .clipping, .overload, .weakSignal, .dcOffset, .limitedParameter, .denormals, .silentOutput,
      .unalignedLatency,
      .tailCut, .notExercised, .notFinite, .renderWarning:
      true
    default: false
    }
  }
}
