package import FxAudio

/// The remaining parts of a sound whose silence is cut out.
package struct SilenceMap: Sendable, Hashable {
  /// The frames of the sound that are played, in order.
  package let segments: [Range<Int>]
  /// The length of the whole sound in frames.
  package let wholeFrameCount: Int
  /// The longest crossfade at a cut in frames; shorter if one side has fewer frames.
  package let fade: Int

  /// A warning if nothing was cut; nil if something was.
  package let warning: String?

  /// The frames that remain.
  package var frameCount: Int { segments.reduce(0) { $0 + $1.count } }

  /// Reads a sound to its end.
  ///
  /// - Throws: `Failure` if nothing would remain.
  package init(_ source: any AudioSource, _ cut: SilenceCut) throws(Failure) {
    let rate = source.format.sampleRate
    func frames(_ seconds: Double) -> Int { Int((seconds * rate).rounded()) }
    var search = SilenceSearch(
      threshold: Float(Math.amplitude(decibels: cut.rule.level)),
      least: max(frames(cut.rule.time), 1))
    let width = source.format.channelCount
    try source.readBlocks { block, count in
      search.take(block.readable, channelCount: width, frameCount: count)
      return true
    }
    let kept = frames(cut.rule.keep ?? SilenceCut.usualKeep)
    guard let segments = search.segments(cut.part, after: kept / 2, before: kept - kept / 2) else {
      throw Failure(
        .empty, source.name,
        "the whole sound is below \(cut.rule.level) dB and would be removed as silence; lower the level"
      )
    }
    self.segments = segments
    wholeFrameCount = search.frameCount
    fade = frames(cut.fade)
    warning = segments == [0..<search.frameCount] ? cut.emptyWarning : nil
  }
}

extension SilenceCut {
  fileprivate var emptyWarning: String {
    let place =
      switch part {
      case .start: "at its start"
      case .end: "at its end"
      case .ends: "at its ends"
      case .inside: "inside"
      case .all: "at its ends or inside"
      }
    return "no silence was cut: there is none below \(rule.level) dB \(place) that is long enough; "
      + "raise the level, or cut shorter silences"
  }
}

/// Finds silence in a sound.
private struct SilenceSearch {
  let threshold: Float
  let least: Int
  private(set) var frameCount = 0
  private var first: Int?
  /// The frame after the last one above the threshold.
  private var last = 0
  /// The silences between two sounds.
  private var pauses: [Range<Int>] = []

  init(threshold: Float, least: Int) {
    self.threshold = threshold
    self.least = least
  }

  mutating func take(
    _ channels: UnsafePointer<UnsafePointer<Float>>, channelCount: Int, frameCount count: Int
  ) {
    for frame in 0..<count {
      var isLoud = false
      for channel in 0..<channelCount where abs(channels[channel][frame]) > threshold {
        isLoud = true
        break
      }
      guard isLoud else { continue }
      let place = frameCount + frame
      if first == nil {
        first = place
      } else if place - last >= least {
        pauses.append(last..<place)
      }
      last = place + 1
    }
    frameCount += count
  }

  /// The segments that remain; nil if nothing remains.
  func segments(_ part: SilenceCut.Part, after: Int, before: Int) -> [Range<Int>]? {
    guard let first else {
      return part.cutsStart || part.cutsEnd || frameCount == 0 ? nil : [0..<frameCount]
    }
    var segments: [Range<Int>] = []
    var begin = part.cutsStart ? max(first - before, 0) : 0
    if part.cutsInside {
      for pause in pauses where pause.lowerBound + after < pause.upperBound - before {
        segments.append(begin..<pause.lowerBound + after)
        begin = pause.upperBound - before
      }
    }
    segments.append(begin..<(part.cutsEnd ? min(last + after, frameCount) : frameCount))
    return segments
  }
}
