import FxAudio

/// A frame that no render reaches, but small enough to calculate with.
enum FrameLimits {
  static var forever: Int {
    @_noLocks get { 1 << 60 }
  }
}

/// The motion of a parameter from one value to another between two absolute frames.
///
/// The value at a frame depends on that frame alone, not on how blocks divide the time.
struct ParameterMotion: BitwiseCopyable {
  package enum Path: UInt8, BitwiseCopyable {
    case line
    /// Equal ratios in equal times.
    case geometric
    /// An S-curve: it starts with the present slope and ends with slope 0.
    case smooth
    /// The same S-curve, geometric.
    case smoothGeometric

    /// The same path without a curve.
    var straight: Path {
      switch self {
      case .line, .smooth: .line
      case .geometric, .smoothGeometric: .geometric
      }
    }
  }

  /// The frame at which the value is still `from`.
  let startFrame: Int
  /// Frames until the value is `target`; 0 for an immediate change.
  let frameCount: Int
  let from: Float
  let target: Float
  let path: Path
  /// log2(target / from), for a geometric path.
  private let octaves: Float
  /// The slope at the start of a smooth path, times its frames, in values or octaves.
  private let carried: Double

  /// A constant value.
  package init(resting value: Float) {
    startFrame = -FrameLimits.forever
    frameCount = 0
    from = value
    target = value
    path = .line
    octaves = 0
    carried = 0
  }

  // MARK: - Realtime

  private static var naturalLogarithmOfTwo: Double {
    @_noLocks get { 0.693_147_180_559_945_3 }
  }

  /// A geometric path becomes a linear one when one of its ends is not above 0. `slope` is the
  /// change of the value per frame before this motion.
  @_noLocks
  package init(
    from: Float, to target: Float, startFrame: Int, frameCount: Int, path: Path, slope: Double = 0
  ) {
    self.startFrame = startFrame
    self.frameCount = frameCount
    self.from = from
    self.target = target
    let isGeometric = path == .geometric || path == .smoothGeometric
    let isSmooth = path == .smooth || path == .smoothGeometric
    let whole = slope * Double(frameCount)
    if isGeometric, from > 0, target > 0 {
      self.path = path
      octaves = Math.log2(target) - Math.log2(from)
      carried =
        isSmooth
        ? SmoothStep.carried(
          whole / (Double(from) * Self.naturalLogarithmOfTwo), over: Double(octaves)) : 0
    } else {
      self.path = isSmooth ? .smooth : .line
      octaves = 0
      carried = isSmooth ? SmoothStep.carried(whole, over: Double(target) - Double(from)) : 0
    }
  }

  /// The first frame at which the value rests.
  package var endFrame: Int {
    @_noLocks get { startFrame + frameCount }
  }

  /// The value at an absolute frame.
  @_noLocks
  package func value(at frame: Int) -> Float {
    let elapsed = frame - startFrame
    if elapsed >= frameCount { return target }
    if elapsed <= 0 { return from }
    let progress = Double(elapsed) / Double(frameCount)
    switch path {
    case .line: return Float(Double(from) + (Double(target) - Double(from)) * progress)
    case .geometric: return from * Math.exp2(octaves * Float(progress))
    case .smooth:
      let change = Double(target) - Double(from)
      return Float(Double(from) + along(change, progress))
    case .smoothGeometric: return from * Math.exp2(Float(along(Double(octaves), progress)))
    }
  }

  @_noLocks
  private func along(_ change: Double, _ progress: Double) -> Double {
    change * SmoothStep.share(progress) + carried * SmoothStep.carry(progress)
  }

  /// The change of the value per frame, at an absolute frame.
  @_noLocks
  func slope(at frame: Int) -> Double {
    let elapsed = frame - startFrame
    guard elapsed >= 0, elapsed < frameCount else { return 0 }
    let progress = Double(elapsed) / Double(frameCount)
    let isGeometric = path == .geometric || path == .smoothGeometric
    let change = isGeometric ? Double(octaves) : Double(target) - Double(from)
    var whole = change
    if path == .smooth || path == .smoothGeometric {
      whole = change * SmoothStep.rate(progress) + carried * SmoothStep.carryRate(progress)
    }
    if isGeometric { whole *= Self.naturalLogarithmOfTwo * Double(value(at: frame)) }
    return whole / Double(frameCount)
  }
}
