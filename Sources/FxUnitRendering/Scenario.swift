package import FxAudio

/// One way to set up a unit of any kind, for tests that every unit must pass.
package struct Scenario: CustomStringConvertible {
  package let type: UnitType
  package let inputWidths: [Int]
  package let items: [ListItem]
  /// The options that differ from their defaults, and the sounds that they name.
  private let options: [String: OptionValue]
  private let sounds: [String: SoundAsset]

  /// The unit with this number of channels wherever its spec allows a choice.
  package init(
    _ type: UnitType, channels: Int, connectsOptional: Bool = false,
    options: [String: OptionValue] = [:], sounds: [String: SoundAsset] = [:]
  ) {
    self.type = type
    self.options = options
    self.sounds = sounds
    let spec = type.spec
    var fixedOutput: Int?
    if case .exactly(let count)? = spec.outputs.first?.width { fixedOutput = count }
    if case .option(let key)? = spec.outputs.first?.width {
      let option = spec.options.first { $0.key == key }
      if case .number(let number)? = option?.defaultValue { fixedOutput = Int(number) }
    }
    var widths = spec.inputs.map { bus -> Int in
      if bus.isOptional && !connectsOptional { return 0 }
      switch bus.width {
      case .any: return channels
      case .exactly(let count): return count
      case .upToOutput: return min(channels, fixedOutput ?? channels)
      }
    }
    var items: [ListItem] = []
    if let list = spec.list {
      for index in 0..<3 {
        var options: [String: OptionValue] = [:]
        for option in list.options {
          if case .channels(let words) = option.kind {
            // The middle and the sides are those of two channels.
            options[option.key] = .text(channels == 2 ? words[(index * 2) % words.count] : words[0])
          } else if case .choice(let labels) = option.kind {
            options[option.key] = .text(labels[(index * 2) % labels.count])
          } else if case .integer = option.kind, option.defaultValue == nil {
            options[option.key] = .number(Double(index % min(channels, 2) + 1))
          }
        }
        items.append(ListItem(id: index == 1 ? "second" : nil, options: options))
        if list.form == .namedInputs {
          widths.append(index == 1 ? 1 : min(channels, fixedOutput ?? channels))
        }
      }
    }
    self.items = items
    inputWidths = widths
  }

  package var inputCount: Int { inputWidths.reduce(0, +) }

  package var description: String { "\(type.spec.id) \(inputWidths)" }

  /// Its outputs are control signals rather than sound.
  package var isModulator: Bool { type.spec.outputs.contains(where: \.isControl) }

  package func noise(_ frameCount: Int) -> [[Float]] {
    // A unit without inputs renders as long as this.
    (0..<max(inputCount, 1)).map { Signal.noise(frameCount, seed: UInt64($0 + 1)) }
  }

  package func renderer(
    parameters: [String: Double] = [:], motions: [String: UnitRenderer.Motion] = [:],
    startFrame: Int = 0
  ) throws -> UnitRenderer {
    try UnitRenderer(
      type, inputWidths: inputWidths, options: options, items: items, sounds: sounds,
      parameters: parameters, motions: motions, maximumFrameCount: 1024, startFrame: startFrame,
      events: type.spec.takesMIDI ? Self.melody : [])
  }

  /// Overlapping notes, one of them twice, with a controller and a bend, some at the same frame.
  private static let melody: [MIDIEvent] = {
    let messages: [(Int, MIDIEvent)] = [
      (0, .controller(1, 64)), (0, .noteOn(60)), (37, .noteOn(64, velocity: 20)),
      (37, MIDIEvent(frame: 0, bytes: (0xe0, 0, 96), size: 3)), (150, .noteOff(60)),
      (150, .noteOn(60, velocity: 127)), (333, .noteOff(64)), (334, .controller(64, 127)),
      (500, .noteOff(60)), (600, .controller(64, 0)), (1000, .noteOn(127)), (1001, .noteOff(127)),
    ]
    return messages.map { MIDIEvent(frame: $0, bytes: $1.bytes, size: $1.size) }
  }()

  /// Parameters that turn the unit's own noises down.
  package var withoutNoise: [String: Double] {
    var values: [String: Double] = [:]
    for parameter in type.spec.parameters where Self.noises.contains(parameter.id) {
      values[parameter.id] = parameter.range.lowerBound
    }
    return values
  }

  private static let noises: Set = ["hiss", "noise", "rumble", "clicks"]

  /// Every parameter in motion: on a line within its range, or by a jump where it is a choice.
  package var everythingMoving: [String: UnitRenderer.Motion] {
    var motions: [String: UnitRenderer.Motion] = [:]
    for slot in type.spec.parameterSlots(items: items) {
      let spec = slot.spec
      let low = max(spec.range.lowerBound, -60)
      let high = min(spec.range.upperBound, 20000)
      if spec.isInteger || (!spec.choices.isEmpty && spec.choicesAreExclusive)
        || spec.smoothing == .none
      {
        motions[slot.path] = .moving { $0 < 333 ? low : high }
      } else {
        motions[slot.path] = .line(
          from: low + 0.1 * (high - low), to: low + 0.6 * (high - low), frames: 100..<900)
      }
    }
    return motions
  }
}
