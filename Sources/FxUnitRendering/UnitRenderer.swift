package import FxAudio

/// A unit by itself, fed with arrays: what unit tests render with.
///
/// Parameters are functions of the absolute frame, in the chain's measures (decibels, hertz);
/// those that do not move in a block are delivered as constants, as the engine does.
package final class UnitRenderer {
  /// A parameter's value over time.
  package enum Motion {
    case constant(Double)
    /// The value at an absolute frame.
    case moving(@Sendable (Int) -> Double)
    /// The same by a control signal, which a unit follows frame by frame.
    case modulated(@Sendable (Int) -> Double)

    /// A straight line between two values over some frames, constant before and after.
    package static func line(
      from: Double, to: Double, frames: Range<Int>, isModulated: Bool = false
    ) -> Motion {
      let value: @Sendable (Int) -> Double = { frame in
        if frame <= frames.lowerBound { return from }
        if frame >= frames.upperBound { return to }
        let share = Double(frame - frames.lowerBound) / Double(frames.count)
        return from + (to - from) * share
      }
      return isModulated ? .modulated(value) : .moving(value)
    }

    /// The way that the engine goes from one value to another.
    package static func smooth(from: Double, to: Double, frames: Range<Int>) -> Motion {
      .moving { frame in
        let time = Double(frame - frames.lowerBound) / Double(frames.count)
        return from + (to - from) * SmoothStep.share(min(max(time, 0), 1))
      }
    }

    /// A value that is sent to another one at a frame, as a user does while it plays: it moves by
    /// the parameter's own smoothing.
    package static func step(
      _ spec: ParameterSpec, from: Double, to: Double, at start: Int, sampleRate: Double = 48000
    ) -> Motion {
      let isLevel = spec.delivery == .amplitude
      let seconds: Double
      var isGeometric = false
      switch spec.smoothing {
      case .none: seconds = 0
      case .ramp(let time): seconds = time
      case .glide(let time): (seconds, isGeometric) = (time, isLevel || (from > 0 && to > 0))
      }
      return .moving { [isGeometric] frame in
        if frame < start { return from }
        let share = min(max(Double(frame - start) / (seconds * sampleRate), 0), 1)
        if seconds == 0 || share == 1 { return to }
        if isLevel && !isGeometric {
          let (first, last) = (Math.amplitude(decibels: from), Math.amplitude(decibels: to))
          return Math.decibels(amplitude: first + (last - first) * share)
        }
        return isGeometric && !isLevel
          ? from * Math.pow(to / from, share) : from + (to - from) * share
      }
    }
  }

  package let type: UnitType
  package let instance: UnitInstance
  package let slots: [ParameterSlot]
  package let inputWidths: [Int]
  package let outputWidths: [Int]
  /// By slot.
  package var motions: [Motion]
  /// The absolute frame that comes next.
  package var frame: Int
  private let startFrame: Int
  private let maximumFrameCount: Int
  private let time: TestTime?

  /// - Parameters:
  ///   - inputWidths: By input bus, the strips of a mixer included; `[channels]` for one bus.
  ///   - sounds: The sounds that options name.
  ///   - models: The models that options name.
  ///   - parameters: Values that differ from the defaults, by slot path.
  ///   - tempo: The musical time; nil for one that is unknown and stands still.
  ///   - layout: The layout of the first bus; nil for the usual one.
  ///   - events: MIDI that is known in advance, sorted by frame.
  package init(
    _ type: UnitType, inputWidths: [Int], options: [String: OptionValue] = [:],
    items: [ListItem] = [], sounds: [String: SoundAsset] = [:], models: [String: NeuralModel] = [:],
    parameters: [String: Double] = [:], motions: [String: Motion] = [:],
    sampleRate: Double = 48000, maximumFrameCount: Int = 4096, startFrame: Int = 0,
    tempo: TempoMap? = TempoMap(tempo: MusicalTime.usualTempo), node: String = "node",
    seed: UInt64 = 0, layout: ChannelLayout? = nil, events: [MIDIEvent] = []
  ) throws {
    self.type = type
    let spec = type.spec
    slots = spec.parameterSlots(items: items)
    var allOptions = Self.defaults(of: spec.options)
    allOptions.merge(options) { $1 }
    let allItems = items.map { item in
      var item = item
      item.options.merge(Self.defaults(of: spec.list?.options ?? [])) { given, _ in given }
      return item
    }
    let values = slots.map { parameters[$0.path] ?? $0.spec.defaultValue }
    self.motions = zip(slots, values).map { motions[$0.path] ?? .constant($1) }
    self.inputWidths = inputWidths
    outputWidths = spec.outputs(items: items).map { output in
      switch output.width {
      case .sameAsInput: return inputWidths.first ?? 0
      case .exactly(let count): return count
      case .option(let key):
        if case .number(let number)? = allOptions[key] { return Int(number) }
        if case .text(let name)? = allOptions[key] {
          return ChannelLayout(named: name)?.channelCount ?? 0
        }
        return 0
      }
    }
    self.maximumFrameCount = maximumFrameCount
    self.startFrame = startFrame
    frame = startFrame
    time = tempo.map { TestTime($0, sampleRate: sampleRate) }
    var preparation = Preparation(
      sampleRate: sampleRate, maximumFrameCount: maximumFrameCount, inputWidths: inputWidths,
      outputWidths: outputWidths, options: allOptions, items: allItems, parameters: values,
      seed: seed)
    preparation.node = node
    preparation.events = events
    preparation.sounds = TestSounds.all.merging(sounds) { $1 }
    preparation.models = TestModels.all.merging(models) { $1 }
    if let layout { preparation.layout = layout }
    instance = try type.make(preparation)
  }

  private static func defaults(of options: [OptionSpec]) -> [String: OptionValue] {
    var values: [String: OptionValue] = [:]
    for option in options { values[option.key] = option.testValue }
    return values
  }

  /// The values of a reading now: one a channel, or a single one.
  package func readings(_ id: String) -> [Float] {
    var cell = 0
    for spec in type.spec.readings {
      let count = spec.isPerChannel ? outputWidths.first ?? 0 : 1
      if spec.id == id { return (cell..<cell + count).map { instance.readings[$0] } }
      cell += count
    }
    return []
  }

  package func reset() {
    instance.entry.reset(instance.state)
    frame = startFrame
  }

  /// Renders all of the input, cut into blocks of these lengths (the last one again and again).
  ///
  /// - Parameters:
  ///   - input: One array a channel, bus after bus; for a unit without inputs one that is as long as
  ///     what it renders.
  ///   - inPlace: Outputs share memory with the inputs of the same index.
  ///   - call: Calls the closure that renders a block.
  /// - Returns: One array a channel, output after output.
  package func render(
    _ input: [[Float]], blocks: [Int] = [256], inPlace: Bool = false,
    through call: (() -> Void) -> Void = { $0() }
  ) -> [[Float]] {
    let frameCount = input.first?.count ?? 0
    let input = inputWidths.reduce(0, +) == 0 ? [] : input
    let outputCount = outputWidths.reduce(0, +)
    var output = [[Float]](repeating: [], count: outputCount)
    for index in output.indices { output[index].reserveCapacity(frameCount) }
    let inputBuffers = input.map { _ in
      UnsafeMutablePointer<Float>.allocate(capacity: maximumFrameCount)
    }
    let outputBuffers = (0..<outputCount).map { index in
      inPlace && index < inputBuffers.count
        ? inputBuffers[index] : UnsafeMutablePointer<Float>.allocate(capacity: maximumFrameCount)
    }
    let signals = UnsafeMutablePointer<ParameterSignal>.allocate(capacity: max(1, slots.count))
    let values = slots.map { _ in UnsafeMutablePointer<Float>.allocate(capacity: maximumFrameCount)
    }
    let inputs = UnsafeMutablePointer<UnsafePointer<Float>>.allocate(
      capacity: max(1, input.count))
    let outputs = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(
      capacity: max(1, outputCount))
    defer {
      inputs.deallocate()
      outputs.deallocate()
      for buffer in outputBuffers where !inputBuffers.contains(buffer) { buffer.deallocate() }
      for buffer in inputBuffers + values { buffer.deallocate() }
      signals.deallocate()
    }
    for (index, buffer) in inputBuffers.enumerated() {
      (inputs + index).initialize(to: UnsafePointer(buffer))
    }
    for (index, buffer) in outputBuffers.enumerated() { (outputs + index).initialize(to: buffer) }
    var position = 0
    var cut = 0
    while position < frameCount {
      let wanted = blocks[min(cut, blocks.count - 1)]
      cut += 1
      let count = max(1, min(wanted, frameCount - position, maximumFrameCount))
      for (buffer, samples) in zip(inputBuffers, input) {
        for index in 0..<count { buffer[index] = samples[position + index] }
      }
      for index in slots.indices {
        signals[index] = signal(index, count, values[index])
      }
      var block = RenderBlock(
        inputs: inputs, inputCount: inputBuffers.count, outputs: outputs, outputCount: outputCount,
        frameCount: count, frame: frame, parameters: signals)
      if let time { block.time = time.time }
      withUnsafePointer(to: &block) { block in
        call { instance.entry.render(instance.state, block) }
      }
      for index in output.indices {
        output[index].append(
          contentsOf: UnsafeBufferPointer(start: outputBuffers[index], count: count))
      }
      position += count
      frame += count
    }
    return output
  }

  private func signal(_ slot: Int, _ count: Int, _ values: UnsafeMutablePointer<Float>)
    -> ParameterSignal
  {
    let spec = slots[slot].spec
    func delivered(_ value: Double) -> Float {
      spec.delivery == .amplitude ? Float(Math.amplitude(decibels: value)) : Float(value)
    }
    switch motions[slot] {
    case .constant(let value): return ParameterSignal(constant: delivered(value))
    case .moving(let value):
      var isConstant = true
      for index in 0..<count {
        values[index] = delivered(value(frame + index))
        if values[index] != values[0] { isConstant = false }
      }
      return isConstant
        ? ParameterSignal(constant: values[0]) : ParameterSignal(samples: UnsafePointer(values))
    case .modulated(let value):
      for index in 0..<count { values[index] = delivered(value(frame + index)) }
      return ParameterSignal(samples: UnsafePointer(values), isModulated: true)
    }
  }
}
