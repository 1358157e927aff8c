import FxAudio

/// Calculates the signal of a source at each ear, with one of three methods.
struct EarPlaces: ~Copyable {
  enum Method: BitwiseCopyable {
    case head, power, responses
  }

  /// The direction of a source, and the level and the delay from its distance.
  struct Source: BitwiseCopyable {
    let azimuth: Double
    let elevation: Double
    let level: Float
    /// In frames.
    let delay: Double

    // MARK: - Realtime

    @_noLocks
    init(azimuth: Double, elevation: Double, level: Float, delay: Double) {
      self.azimuth = azimuth
      self.elevation = elevation
      self.level = level
      self.delay = delay
    }
  }

  /// The longest delay of an ear, in seconds.
  static let longestDelay = 0.005

  let method: Method
  private let sampleRate: Double
  private let responses: HeadResponses

  init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    let sound = preparation.sound("hrtf")
    let usual: Method = preparation.text("method") == "power" ? .power : .head
    method = sound == nil ? usual : .responses
    responses = HeadResponses(
      sound ?? Self.noResponses, sampleRate: preparation.sampleRate)
  }

  private static let noResponses = SoundAsset(channelCount: 0, frameCount: 0)

  /// The taps of an ear's filter; 0 where there is none.
  static func tapCount(_ preparation: Preparation) -> Int {
    guard let sound = preparation.sound("hrtf") else { return 0 }
    return HeadResponses.tapCount(sound.frameCount, sampleRate: preparation.sampleRate)
  }

  /// The latency in frames.
  static func latency(_ preparation: Preparation) -> Int {
    SincTable.reach + (preparation.sound("hrtf") == nil ? 0 : HeadResponses.onsetTap)
  }

  var tapCount: Int { method == .responses ? responses.tapCount : 0 }

  static func byteCount(_ preparation: Preparation) -> Int {
    HeadResponses.byteCount(
      preparation.sound("hrtf") ?? noResponses, sampleRate: preparation.sampleRate)
  }

  // MARK: - Realtime

  /// Sets the target of an ear's filter for a source.
  @_noLocks
  func aim(_ filter: inout EarFilter, ear: Int, _ source: Source) {
    let (around, up) = (source.azimuth * Double.pi / 180, source.elevation * Double.pi / 180)
    let toTheRight = Math.sin(around) * Math.cos(up)
    switch method {
    case .power:
      let gains = PanLaw.constantPower.gains(Float(toTheRight))
      filter.aim(
        delay: source.delay, level: source.level * (ear == 0 ? gains.left : gains.right), treble: 1)
    case .head:
      let heard = SphericalHead.ear(cosine: ear == 0 ? -toTheRight : toTheRight)
      filter.aim(
        delay: source.delay + heard.delay * sampleRate, level: source.level,
        treble: Float(heard.treble))
    case .responses:
      let circles = source.azimuth / 360
      let whole = Double(Int(circles))
      let rest = circles < whole ? circles - whole + 1 : circles - whole
      let azimuth = rest < 1 ? 360 * rest : 0
      let delay = responses.mix(
        azimuth: azimuth, elevation: source.elevation, ear: ear, to: filter.nextTaps)
      filter.aim(delay: source.delay + delay, level: source.level, treble: 1)
    }
  }
}
