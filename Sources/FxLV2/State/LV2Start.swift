import CLilv
import FxAudio

/// What the instances of a plugin receive before they render: states to restore and messages.
struct LV2Start {
  private let states: [LV2SavedState]
  private let messages: [LV2PatchMessage]
  /// The index of the atom port that receives the messages, among the voice's event ports.
  private let messagePort: Int
  /// The preset's or state's values of control ports, by symbol, in the ports' units.
  let portValues: [String: Double]
  /// True when the plugin's worker is known to have no jobs for the states, so that no blocks of
  /// silence are needed.
  var isAtRest = false

  /// Restores a default state where the plugin supports it and the given state contains port values
  /// only, or no state is given.
  init(_ description: LV2Description, _ setup: PluginSetup, _ store: LV2StateStore)
    throws(Failure)
  {
    let uri = description.uri
    var states: [LV2SavedState] = []
    var values: [String: Double] = [:]
    if let state = setup.state {
      let found = try store.state(state, of: uri)
      for port in found.ports { values[port.symbol] = port.value }
      if found.propertyCount > 0 { states = [found] }
    }
    let features = description.requiredFeatures + description.optionalFeatures
    if states.isEmpty, features.contains(LV2URI.loadDefaultState),
      let state = store.defaultState(of: uri)
    {
      states = [state]
    }
    self.states = states
    portValues = values
    let given = try LV2Start.messages(setup.properties, description, store)
    messages = given.messages
    messagePort = given.port
  }

  /// The port's value in the state, if it is the start value of the parameter.
  func stored(_ start: Double, for reader: LV2ParameterReader) -> Double? {
    guard let value = portValues[reader.port.symbol],
      LV2StateParameters.chainValue(value, of: reader) == start
    else { return nil }
    return value
  }

  /// Restores the states into an inactive instance.
  func restore(
    to handle: LV2_Handle, of descriptor: UnsafePointer<LV2_Descriptor>, _ features: LV2Features,
    plugin: String, log: LV2LogHandler
  ) {
    for state in states {
      let status = state.restore(to: handle, of: descriptor, features: features.stateList)
      guard status != LV2_STATE_SUCCESS else { continue }
      log(
        LV2LogLine(
          level: .warning, plugin: plugin,
          text: "the plugin did not take all of the state '\(state.name)' (\(status.meaning))"))
    }
  }

  /// Runs an active instance on silence, so that it receives its messages and finishes its worker's
  /// jobs. Then restarts the instance, so that nothing of this is audible. Does nothing without
  /// states and messages.
  ///
  /// The blocks have the nominal length. Each message goes into its own block; more blocks follow
  /// until the worker had no job for `quietBlocks`. Returns true when the worker had any job.
  func prime(_ voice: LV2Voice, frameCount: Int) -> Bool {
    guard !messages.isEmpty || !states.isEmpty && voice.worker != nil && !isAtRest else {
      return false
    }
    var hadJobs = false
    for message in messages where run(voice, frameCount, message) { hadJobs = true }
    var quiet = 0
    var count = 0
    while quiet < LV2Start.quietBlocks, count < LV2Start.mostBlocks {
      let hasJobs = run(voice, frameCount, nil)
      hadJobs = hadJobs || hasJobs
      quiet = hasJobs ? 0 : quiet + 1
      count += 1
    }
    voice.descriptor.pointee.deactivate?(voice.handle)
    voice.descriptor.pointee.activate?(voice.handle)
    return hadJobs
  }

  /// True when a temporary instance must find out whether the worker has any jobs.
  func isInDoubt(_ description: LV2Description) -> Bool {
    let features = description.requiredFeatures + description.optionalFeatures
    return !states.isEmpty && messages.isEmpty && features.contains(LV2URI.schedule)
  }

  /// Blocks without a job after which the worker counts as done.
  static let quietBlocks = 8
  /// A limit for plugins that schedule a job in every block.
  static let mostBlocks = 256

  /// Runs one block; true when the plugin scheduled a job.
  private func run(_ voice: LV2Voice, _ frameCount: Int, _ message: LV2PatchMessage?) -> Bool {
    for port in voice.eventPorts { port.clear() }
    if let message, voice.eventPorts.indices.contains(messagePort) {
      _ = message.write(to: voice.eventPorts[messagePort])
    }
    fx_lv2_run(voice.descriptor, voice.handle, UInt32(truncatingIfNeeded: frameCount))
    guard let worker = voice.worker else { return false }
    let hasJobs = worker.pointee.hasJobs
    LV2Worker.finishRun(worker)
    return hasJobs
  }

  private static func messages(
    _ properties: [PluginSetup.Property], _ description: LV2Description, _ store: LV2StateStore
  ) throws(Failure) -> (messages: [LV2PatchMessage], port: Int) {
    guard !properties.isEmpty else { return ([], -1) }
    let uri = description.uri
    guard let reader = store.properties(of: uri), let port = reader.port,
      let ordinal = description.ports.filter(\.hasEventBuffer).firstIndex(where: {
        $0.index == port
      }
      )
    else {
      throw Failure(.usage, "LV2 plugin '\(uri)' takes no properties")
    }
    var messages: [LV2PatchMessage] = []
    for given in properties {
      guard let property = reader.properties.first(where: { $0.declaration.uri == given.uri })
      else { throw Failure(.usage, "LV2 plugin '\(uri)' has no property '\(given.uri)'") }
      guard let message = LV2PatchMessage(property, given.value) else {
        throw Failure(
          .usage, "property '\(given.uri)' of LV2 plugin '\(uri)' cannot have that value")
      }
      guard message.bytes.count + 24 <= LV2Features.sequenceSize else {
        throw Failure(
          .usage,
          "property '\(given.uri)' of LV2 plugin '\(uri)' is given a text that is too long")
      }
      messages.append(message)
    }
    return (messages, ordinal)
  }
}

extension LV2Port {
  /// Has a buffer among the voice's `eventPorts`.
  var hasEventBuffer: Bool {
    switch kind {
    case .atom, .event: true
    case .audio, .control, .cv, .unknown: false
    }
  }
}

extension LV2_State_Status {
  /// A text for messages.
  var meaning: String {
    switch self {
    case LV2_STATE_ERR_BAD_TYPE: "a property has a type that it does not expect"
    case LV2_STATE_ERR_BAD_FLAGS: "a property is stored in a way that it does not expect"
    case LV2_STATE_ERR_NO_FEATURE: "it misses a feature of the host"
    case LV2_STATE_ERR_NO_PROPERTY: "a property is missing"
    case LV2_STATE_ERR_NO_SPACE: "it has run out of memory"
    default: "error \(rawValue)"
    }
  }
}
