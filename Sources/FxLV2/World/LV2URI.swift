import FxAudio

/// The LV2 vocabulary that fxrun uses.
///
/// The C headers build these URIs by string concatenation, which Swift does not import.
enum LV2URI {
  static let core = "http://lv2plug.in/ns/lv2core#"
  private static let ext = "http://lv2plug.in/ns/ext/"
  private static let extensions = "http://lv2plug.in/ns/extensions/"

  // Ports.
  static let inputPort = core + "InputPort"
  static let outputPort = core + "OutputPort"
  static let audioPort = core + "AudioPort"
  static let controlPort = core + "ControlPort"
  static let cvPort = core + "CVPort"
  static let port = core + "Port"
  /// The property that links a plugin to its ports.
  static let hasPort = core + "port"
  static let binary = core + "binary"
  static let index = core + "index"
  static let atomPort = ext + "atom#AtomPort"
  static let bufferType = ext + "atom#bufferType"
  static let supports = ext + "atom#supports"
  static let eventPort = ext + "event#EventPort"
  static let supportsEvent = ext + "event#supportsEvent"
  static let minimumSize = ext + "resize-port#minimumSize"

  // Properties of ports.
  static let connectionOptional = core + "connectionOptional"
  static let control = core + "control"
  static let designation = core + "designation"
  static let enabled = core + "enabled"
  static let enumeration = core + "enumeration"
  static let freeWheeling = core + "freeWheeling"
  static let integer = core + "integer"
  static let isSideChain = core + "isSideChain"
  static let latency = core + "latency"
  static let reportsLatency = core + "reportsLatency"
  static let sampleRatePort = core + "sampleRate"
  static let toggled = core + "toggled"
  static let causesArtifacts = ext + "port-props#causesArtifacts"
  static let expensive = ext + "port-props#expensive"
  static let logarithmic = ext + "port-props#logarithmic"
  static let group = ext + "port-groups#group"
  private static let portGroups = ext + "port-groups#"
  static let mainInput = ext + "port-groups#mainInput"
  static let mainOutput = ext + "port-groups#mainOutput"
  static let symbol = core + "symbol"
  static let sideChainOf = ext + "port-groups#sideChainOf"
  static let unit = extensions + "units#unit"
  static let unitSymbol = extensions + "units#symbol"

  // Properties of plugins.
  static let minorVersion = core + "minorVersion"
  static let microVersion = core + "microVersion"
  static let requiredOption = ext + "options#requiredOption"

  // Features.
  static let uridMap = ext + "urid#map"
  static let uridUnmap = ext + "urid#unmap"
  static let options = ext + "options#options"
  static let boundedBlockLength = ext + "buf-size#boundedBlockLength"
  static let fixedBlockLength = ext + "buf-size#fixedBlockLength"
  static let powerOf2BlockLength = ext + "buf-size#powerOf2BlockLength"
  static let coarseBlockLength = ext + "buf-size#coarseBlockLength"
  static let schedule = ext + "worker#schedule"
  static let log = ext + "log#log"
  static let loadDefaultState = ext + "state#loadDefaultState"
  static let threadSafeRestore = ext + "state#threadSafeRestore"
  static let supportsStrictBounds = ext + "port-props#supportsStrictBounds"
  static let hardRealtimeCapable = core + "hardRTCapable"
  /// A misspelling that several plugins use.
  static let hardRealtimeCapableMisspelt = core + "hardRtCapable"
  static let resizePort = ext + "resize-port#resize"
  static let uriMap = ext + "uri-map"
  static let event = ext + "event"
  static let inPlaceBroken = core + "inPlaceBroken"
  static let isLive = core + "isLive"

  static let makePath = ext + "state#makePath"
  static let mapPath = ext + "state#mapPath"
  static let freePath = ext + "state#freePath"

  // Extension data.
  static let stateInterface = ext + "state#interface"
  static let workerInterface = ext + "worker#interface"

  // Options.
  static let sampleRateOption = ext + "parameters#sampleRate"
  static let minimumBlockLength = ext + "buf-size#minBlockLength"
  static let maximumBlockLength = ext + "buf-size#maxBlockLength"
  static let nominalBlockLength = ext + "buf-size#nominalBlockLength"
  static let sequenceSize = ext + "buf-size#sequenceSize"

  // Atom types.
  static let atomInt = ext + "atom#Int"
  static let atomFloat = ext + "atom#Float"
  static let atomLong = ext + "atom#Long"
  static let atomDouble = ext + "atom#Double"
  static let atomObject = ext + "atom#Object"
  static let atomChunk = ext + "atom#Chunk"
  static let atomSequence = ext + "atom#Sequence"
  static let atomBool = ext + "atom#Bool"
  static let atomString = ext + "atom#String"
  static let atomPath = ext + "atom#Path"
  static let atomURI = ext + "atom#URI"
  static let atomURID = ext + "atom#URID"
  static let atomSupports = ext + "atom#supports"

  // Messages and properties.
  static let patchMessage = ext + "patch#Message"
  static let patchGet = ext + "patch#Get"
  static let patchSet = ext + "patch#Set"
  static let patchProperty = ext + "patch#property"
  static let patchValue = ext + "patch#value"
  static let patchWritable = ext + "patch#writable"

  // Presets and states.
  static let state = ext + "state#state"
  static let preset = ext + "presets#Preset"
  static let presetBank = ext + "presets#bank"
  static let appliesTo = core + "appliesTo"
  static let type = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
  static let seeAlso = "http://www.w3.org/2000/01/rdf-schema#seeAlso"
  static let label = "http://www.w3.org/2000/01/rdf-schema#label"
  static let range = "http://www.w3.org/2000/01/rdf-schema#range"
  static let minimum = core + "minimum"
  static let maximum = core + "maximum"
  static let defaultValue = core + "default"

  // Events.
  static let midiEvent = ext + "midi#MidiEvent"
  static let timePosition = ext + "time#Position"
  static let time = ext + "time#"

  // Log levels.
  static let logError = ext + "log#Error"
  static let logWarning = ext + "log#Warning"
  static let logNote = ext + "log#Note"
  static let logTrace = ext + "log#Trace"

  static let units = extensions + "units#"
}

extension LV2URI {
  /// The designations of audio channels.
  static let channels: [String: ChannelName] = [
    portGroups + "left": .frontLeft, portGroups + "right": .frontRight,
    portGroups + "center": .frontCentre, portGroups + "lowFrequencyEffects": .lowFrequency,
    portGroups + "rearLeft": .backLeft, portGroups + "rearRight": .backRight,
    portGroups + "centerLeft": .frontLeftOfCentre, portGroups + "centerRight": .frontRightOfCentre,
    portGroups + "rearCenter": .backCentre, portGroups + "sideLeft": .sideLeft,
    portGroups + "sideRight": .sideRight,
  ]
}
