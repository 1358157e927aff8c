import FxAudio
@testable import FxEngine

/// Units small enough that a test can say what they do in a line.
enum TestUnit: Int, CaseIterable {
  /// Twice a third of its input.
  case scale
  /// A one-pole smear, which remembers.
  case smear
  /// Its input, `latency` frames late; it declares this latency.
  case late
  /// Its first input less half of its side-chain.
  case duck
  /// Its input times a parameter.
  case tune
  /// A control signal: 0.7 of its first channel.
  case follow
  /// Its input; it strikes a note where the first channel is high.
  case strike
  /// Its input with a step for every note that comes, which it passes on a tone higher.
  case ring

  static let latencies = [0, 3, 7, 17]
  static let factor = ParameterSpec(
    "factor", "A test parameter.", .none, -0.75...1, default: 0.5, smoothing: .none)

  func type(latency: Int, rendersInPlace: Bool) -> UnitType {
    var spec = UnitSpec(
      "\(self)", name: "\(self)", summary: "A test unit.", category: "test",
      rendersInPlace: rendersInPlace)
    if self == .duck { spec.inputs = [.main, InputBusSpec("sidechain", isOptional: true)] }
    if self == .tune { spec.parameters = [Self.factor] }
    if self == .follow { spec.outputs = [.control("out", -1...1)] }
    if self == .ring { spec.eventInputs = [EventPortSpec("in")] }
    if self == .ring || self == .strike { spec.eventOutputs = [EventPortSpec("out")] }
    let (kind, declared) = (self, spec)
    return UnitType(spec: spec) { preparation in
      let kernel = UnsafeMutablePointer<TestKernel>.allocate(capacity: 1)
      kernel.initialize(
        to: TestKernel(
          kind: kind, latency: kind == .late ? latency : 0, widths: preparation.inputWidths))
      return UnitInstance(
        spec: declared, state: kernel, entry: TestKernel.entry, latency: kernel.pointee.latency,
        tail: .none, readings: preparation.readings
      ) { $0.assumingMemoryBound(to: TestKernel.self).deallocate() }
    }
  }
}

/// The state of a test unit, up to 4 channels and 63 frames of latency.
struct TestKernel {
  let kind: TestUnit
  let latency: Int
  let mainWidth: Int
  let sideWidth: Int
  var smeared: [4 of Float] = .init(repeating: 0)
  var past: [256 of Float] = .init(repeating: 0)

  static let entry = UnitEntry(
    render: { $0.assumingMemoryBound(to: TestKernel.self).pointee.render(RenderBlock(at: $1)) },
    reset: { _ in })

  init(kind: TestUnit, latency: Int, widths: [Int]) {
    self.kind = kind
    self.latency = latency
    mainWidth = widths[0]
    sideWidth = widths.count > 1 ? widths[1] : 0
  }

  mutating func render(_ block: RenderBlock) {
    if kind == .strike || kind == .ring { renderEvents(block) }
    if kind == .ring { return }
    for frame in 0..<block.frameCount {
      for channel in 0..<block.outputCount {
        var side: Float = 0
        if sideWidth > 0 { side = block.inputs[mainWidth + min(channel, sideWidth - 1)][frame] }
        block.outputs[channel][frame] = next(
          block.inputs[channel][frame], side: side,
          factor: kind == .tune ? block.parameters[0][frame] : 0, channel: channel,
          frame: block.frame + frame)
      }
    }
  }

  private func renderEvents(_ block: RenderBlock) {
    var place = 0
    for frame in 0..<block.frameCount {
      var notes: [TestNote] = []
      while let event = block.events.event(at: place), event.frame <= frame {
        notes.append(TestNote(block.events.bytes(at: place)))
        place += event.stride
      }
      if kind == .strike { notes = TestNote.struck(by: block.inputs[0][frame]).map { [$0] } ?? [] }
      for note in notes {
        let given = kind == .ring ? note.higher : note
        let header = EventHeader(frame: frame, type: EventHeader.midi, port: 0, size: 3)
        withUnsafeBytes(of: given.bytes) { bytes in
          if let start = bytes.baseAddress { _ = block.givenEvents?.append(header, start) }
        }
      }
      guard kind == .ring else { continue }
      for channel in 0..<block.outputCount {
        block.outputs[channel][frame] = notes.reduce(block.inputs[channel][frame]) { $0 + $1.step }
      }
    }
  }

  mutating func next(
    _ input: Float, side: Float, factor: Float, channel: Int, frame: Int
  ) -> Float {
    switch kind {
    case .scale: return input * (2 / 3)
    case .smear:
      smeared[channel] = input * 0.5 + smeared[channel] * 0.5
      return smeared[channel]
    case .duck: return input - side * 0.5
    case .tune: return input * factor
    case .follow: return input * 0.7
    case .strike, .ring: return input
    case .late:
      past[channel * 64 + frame & 63] = input
      return past[channel * 64 + (frame - latency) & 63]
    }
  }
}

/// A note that test units send one another.
struct TestNote: Equatable {
  var bytes: (UInt8, UInt8, UInt8)

  init(_ bytes: (UInt8, UInt8, UInt8)) { self.bytes = bytes }

  init(_ start: UnsafeRawPointer?) {
    let byte = { (index: Int) in start?.load(fromByteOffset: index, as: UInt8.self) ?? 0 }
    bytes = (byte(0), byte(1), byte(2))
  }

  /// The note of a sample; nil for one that is not high.
  static func struck(by sample: Float) -> TestNote? {
    sample > 0.8 ? TestNote((0x90, 40, UInt8(min(sample, 1) * 127))) : nil
  }

  var higher: TestNote { TestNote((bytes.0, min(bytes.1 &+ 2, 127), bytes.2)) }
  var step: Float { Float(bytes.2) / 127 * Float(bytes.1) / 127 }

  static func == (left: TestNote, right: TestNote) -> Bool { left.bytes == right.bytes }
}
