import FxAudio

/// The parameters of one node that control signals move, on the render thread.
///
/// The unit and the dry/wet mix read `signals` instead of the bank's own signals.
struct ModulationBank: BitwiseCopyable {
  /// One parameter and the terms that move it.
  struct Target: BitwiseCopyable {
    let slot: Int
    let firstTerm: Int
    let termCount: Int
    /// The range of the delivered value.
    let low: Float
    let high: Float
    /// The value is rounded to a whole number, or to one of the choices if there are any.
    let isWhole: Bool
    let choices: UnsafePointer<Float>
    let choiceCount: Int
  }

  /// Frames of a target so far, and how many of them a term moved outside the range.
  struct Count: BitwiseCopyable {
    var frames = 0
    var limited = 0
  }

  let targets: UnsafePointer<Target>
  let targetCount: Int
  let terms: UnsafePointer<ModulationTerm>
  let counts: UnsafeMutablePointer<Count>
  /// One for each parameter of the node.
  let signals: UnsafeMutablePointer<ParameterSignal>

  /// How often each target was limited. Read only while nothing renders.
  var moved: [RenderFingerprint.Moved] {
    (0..<targetCount).map { index in
      RenderFingerprint.Moved(
        slot: targets[index].slot,
        limitedShare: Double(counts[index].limited) / Double(max(counts[index].frames, 1)))
    }
  }

  // MARK: - Realtime

  /// Moves the parameters of a block after the bank is prepared. `inputs` are the node's channels.
  @_noLocks
  func apply(
    to bank: ParameterBank, _ inputs: UnsafePointer<UnsafePointer<Float>>, frameCount: Int,
    in scratch: ParameterScratch
  ) {
    for index in 0..<bank.count { signals[index] = bank.signals[index] }
    for index in 0..<targetCount {
      let target = targets[index]
      guard target.slot >= bank.firstPerFrame else {
        let value = value(of: target, index, bank, inputs, at: 0)
        counts[index].frames += 1
        signals[target.slot] = ParameterSignal(constant: value)
        continue
      }
      // These are the parameter's own frames: each is read before it is overwritten.
      let samples = scratch.samples + target.slot * scratch.stride
      counts[index].frames += frameCount
      for frame in 0..<frameCount {
        samples[frame] = value(of: target, index, bank, inputs, at: frame)
      }
      signals[target.slot] = ParameterSignal(
        samples: UnsafePointer(samples), isModulated: true)
    }
  }

  /// `base · 2^Σ ratios + Σ offsets`, with the terms in the chain's order, limited to the range.
  @_noLocks @inline(__always)
  private func value(
    of target: Target, _ index: Int, _ bank: ParameterBank,
    _ inputs: UnsafePointer<UnsafePointer<Float>>, at frame: Int
  ) -> Float {
    let base = bank.signals[target.slot][frame]
    var octaves: Float = 0
    var offset: Float = 0
    for number in 0..<target.termCount {
      let term = terms[target.firstTerm + number]
      let amount = term.share(inputs[term.channel][frame]) * bank.signals[term.depthSlot][frame]
      if term.octavesPerUnit != 0 {
        octaves += amount * term.octavesPerUnit
      } else {
        offset += amount
      }
    }
    let ratio = octaves == 0 ? 1 : Math.exp2(octaves)
    let moved = base * ratio + offset
    guard moved >= target.low else {
      counts[index].limited += 1
      return moved < target.low ? target.low : base
    }
    guard moved <= target.high else {
      counts[index].limited += 1
      return target.high
    }
    return settled(moved, target)
  }

  /// The nearest value that the parameter allows.
  @_noLocks @inline(__always)
  private func settled(_ value: Float, _ target: Target) -> Float {
    guard target.choiceCount == 0 else {
      var nearest = target.choices[0]
      for index in 1..<target.choiceCount
      where abs(target.choices[index] - value) < abs(nearest - value) {
        nearest = target.choices[index]
      }
      return nearest
    }
    guard target.isWhole, value > -1e9, value < 1e9 else { return value }
    return Float(Int(value + (value < 0 ? -0.5 : 0.5)))
  }
}

/// One control signal that moves a parameter.
struct ModulationTerm: BitwiseCopyable {
  /// The index among the node's inputs.
  let channel: Int
  let depthSlot: Int
  /// Octaves for a depth of 1; 0 where the term is added.
  let octavesPerUnit: Float
  private let curve: Modulation.Curve
  /// The share is `signal · scale + offset`, limited to `least…1`.
  private let scale: Float
  private let offset: Float
  private let least: Float

  init(_ modulation: Modulation, channel: Int) {
    self.channel = channel
    depthSlot = modulation.depthSlot
    octavesPerUnit =
      switch modulation.scale {
      case .linear: 0
      case .octaves: 1
      case .decibels: 0.166_096_4
      }
    curve = modulation.curve
    let (low, high) = (modulation.range.lowerBound, modulation.range.upperBound)
    let width = high > low ? high - low : 1
    least = modulation.isBipolar ? -1 : 0
    scale = Float((modulation.isBipolar ? 2 : 1) / width)
    offset = Float(modulation.isBipolar ? -(low + high) / width : -low / width)
  }

  // MARK: - Realtime

  /// The share for a signal's value.
  @_noLocks @inline(__always)
  func share(_ value: Float) -> Float {
    let whole = value * scale + offset
    let share = whole > least ? (whole < 1 ? whole : 1) : least
    switch curve {
    case .linear: return share
    case .square: return share * abs(share)
    case .root: return share < 0 ? -Math.squareRoot(-share) : Math.squareRoot(share)
    case .smooth: return share * abs(share) * (3 - 2 * abs(share))
    }
  }
}
