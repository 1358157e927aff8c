import FxAudio
@testable import FxEngine

/// Units for changes of a chain: linear, fast, each with a memory that makes a jump visible.
enum MortalUnit: Int, CaseIterable {
  /// Three quarters of its input.
  case scale
  /// A one-pole smear.
  case smear
  /// Its input, `latency` frames late, from a ring that is addressed by the frame of its time line.
  case late
  /// Its first input less half of its side-chain.
  case duck
  /// Its input and echoes of it, half as loud each time, 200 frames apart; it declares its tail.
  case echo
  /// The same with an unknown tail.
  case openEcho
  /// A hundred times its input, and a hundredth of it.
  case loud, soft

  /// The kinds in a random chain.
  static let tame = allCases.filter { $0 != .loud && $0 != .soft }
  static let gains: [MortalUnit] = [.scale, .loud, .soft]

  static let echoFrames = 200
  static let echoTail = 200 * 15

  func type(latency: Int, live: Counter? = nil) -> UnitType {
    var spec = UnitSpec("\(self)", name: "\(self)", summary: "A test unit.", category: "test")
    if self == .duck { spec.inputs = [.main, InputBusSpec("sidechain", isOptional: true)] }
    let (kind, declared) = (self, spec)
    return UnitType(spec: spec) { preparation in
      let kernel = UnsafeMutablePointer<MortalKernel>.allocate(capacity: 1)
      kernel.initialize(
        to: MortalKernel(kind, latency: latency, widths: preparation.inputWidths))
      live?.value += 1
      let tail: Tail =
        switch kind {
        case .echo: .frames(Self.echoTail)
        case .openEcho: .unknown
        default: .none
        }
      return UnitInstance(
        spec: declared, state: kernel, entry: MortalKernel.entry,
        latency: kind == .late ? latency : 0, tail: tail, readings: preparation.readings
      ) {
        $0.assumingMemoryBound(to: MortalKernel.self).pointee.ring.deallocate()
        $0.assumingMemoryBound(to: MortalKernel.self).deallocate()
        live?.value -= 1
      }
    }
  }

  final class Counter: @unchecked Sendable {
    // Sendable: the tests that count have one thread.
    var value = 0
  }
}

struct MortalKernel {
  let kind: MortalUnit
  let latency: Int
  let mainWidth: Int
  let sideWidth: Int
  /// 256 frames a channel, and one number that the smear remembers.
  let ring: UnsafeMutablePointer<Float>
  private var age = 0

  static let entry = UnitEntry(
    render: { $0.assumingMemoryBound(to: MortalKernel.self).pointee.render(RenderBlock(at: $1)) },
    reset: { _ in })

  init(_ kind: MortalUnit, latency: Int, widths: [Int]) {
    self.kind = kind
    self.latency = latency
    mainWidth = widths.first ?? 1
    sideWidth = widths.count > 1 ? widths[1] : 0
    ring = .allocate(capacity: 4 * 257)
    ring.initialize(repeating: 0, count: 4 * 257)
  }

  mutating func render(_ block: RenderBlock) {
    let count = block.frameCount
    for channel in 0..<block.outputCount {
      let input = block.inputs[channel]
      let output = block.outputs[channel]
      let past = ring + channel * 257
      switch kind {
      case .scale:
        for frame in 0..<count { output[frame] = input[frame] * 0.75 }
      case .loud:
        for frame in 0..<count { output[frame] = input[frame] * 100 }
      case .soft:
        for frame in 0..<count { output[frame] = input[frame] * 0.01 }
      case .smear:
        for frame in 0..<count {
          past[256] = input[frame] * 0.25 + past[256] * 0.75
          output[frame] = past[256]
        }
      case .duck:
        guard sideWidth > 0 else {
          for frame in 0..<count { output[frame] = input[frame] }
          continue
        }
        let side = block.inputs[mainWidth + min(channel, sideWidth - 1)]
        for frame in 0..<count { output[frame] = input[frame] - side[frame] * 0.5 }
      case .late:
        for frame in 0..<count {
          let now = block.frame + frame
          past[now & 255] = input[frame]
          output[frame] = past[(now - latency) & 255]
        }
      case .echo, .openEcho:
        for frame in 0..<count {
          let now = age + frame
          let sample = input[frame] + 0.5 * past[(now - MortalUnit.echoFrames) & 255]
          past[now & 255] = sample
          output[frame] = sample
        }
      }
    }
    age += count
  }
}
