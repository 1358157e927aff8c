import FxAudio
@testable import FxLV2
import FxTestSupport
import Testing

/// A test plugin of this name, ready to be made.
func fixture(_ name: String, in world: LV2World = FixtureBundles.world()) throws -> UnitType {
  try #require(try world.plugin(uri: "urn:fxrun:test:\(name)"))
}

extension UnitType {
  /// An instance as the engine would make it, with the widths that the spec asks for.
  func made(
    rate: Double = 48000, maximum: Int = 256, width: Int? = nil, sideChain: Int = 0,
    live: Bool = false, isolated: Bool = false, fed: [String: Int] = [:],
    _ values: [String: Double] = [:], configure: (inout Preparation) -> Void = { _ in }
  ) throws -> UnitInstance {
    var inputs: [Int] = []
    for bus in spec.inputs {
      guard case .exactly(let count) = bus.width else { continue }
      let optional = fed[bus.name] ?? (bus.isControl ? 0 : sideChain)
      inputs.append(bus.isOptional ? optional : width ?? count)
    }
    let outputs = spec.outputs.map { bus in
      guard case .exactly(let count) = bus.width else { return 0 }
      return count == 1 ? width ?? 1 : count
    }
    var preparation = Preparation(
      sampleRate: rate, maximumFrameCount: maximum, inputWidths: inputs, outputWidths: outputs,
      parameters: spec.parameters.map { values[$0.id] ?? $0.defaultValue }, isLive: live)
    preparation.setup.isIsolated = isolated
    configure(&preparation)
    return try make(preparation)
  }
}

extension UnitInstance {
  /// Renders a signal, one array a channel, in blocks.
  func render(
    _ input: [[Float]], outputs: Int? = nil, block: Int = 256, frames: Int? = nil,
    from start: Int = 0, moving: [String: [Float]] = [:], _ values: [String: Double] = [:],
    tempo: TempoMap? = nil
  ) -> [[Float]] {
    let time = tempo.map { TestTime($0) }
    defer { withExtendedLifetime(time) {} }
    let frameCount = frames ?? input.first?.count ?? 0
    var signals = spec.parameters.map {
      ParameterSignal(constant: Float(values[$0.id] ?? $0.defaultValue))
    }
    let curves = spec.parameters.map { parameter -> UnsafeMutablePointer<Float>? in
      guard let curve = moving[parameter.id] else { return nil }
      let copy = UnsafeMutablePointer<Float>.allocate(capacity: curve.count)
      copy.initialize(from: curve, count: curve.count)
      return copy
    }
    defer { curves.forEach { $0?.deallocate() } }
    let sources = input.map { channel in
      let copy = UnsafeMutablePointer<Float>.allocate(capacity: max(frameCount, 1))
      copy.initialize(from: channel, count: frameCount)
      return copy
    }
    let targets = (0..<(outputs ?? input.count)).map { _ in
      let copy = UnsafeMutablePointer<Float>.allocate(capacity: max(frameCount, 1))
      copy.initialize(repeating: .nan, count: max(frameCount, 1))
      return copy
    }
    defer { (sources + targets).forEach { $0.deallocate() } }
    var frame = 0
    while frame < frameCount {
      let count = min(block, frameCount - frame)
      let ins = sources.map { UnsafePointer($0 + frame) }
      let outs = targets.map { $0 + frame }
      for (index, curve) in curves.enumerated() {
        if let curve { signals[index] = ParameterSignal(samples: UnsafePointer(curve + frame)) }
      }
      ins.withUnsafeBufferPointer { ins in
        outs.withUnsafeBufferPointer { outs in
          signals.withUnsafeBufferPointer { signals in
            guard let ins = ins.baseAddress, let outs = outs.baseAddress else { return }
            let none = UnsafeMutablePointer<ParameterSignal>.allocate(capacity: 1)
            defer { none.deallocate() }
            var block = RenderBlock(
              inputs: ins, inputCount: input.count, outputs: outs, outputCount: targets.count,
              frameCount: count, frame: start + frame,
              parameters: signals.baseAddress ?? UnsafePointer(none))
            if let time { block.time = time.time }
            entry.render(state, &block)
          }
        }
      }
      frame += count
    }
    return targets.map { Array(UnsafeBufferPointer(start: $0, count: frameCount)) }
  }

  /// A reading by its id; a reading per channel has the value of `channel`.
  func reading(_ id: String, channel: Int = 0) -> Float {
    var cell = 0
    for reading in spec.readings {
      if reading.id == id { return readings[cell + channel] }
      cell += reading.isPerChannel ? readings.cellCount / spec.readings.count : 1
    }
    return .nan
  }
}
