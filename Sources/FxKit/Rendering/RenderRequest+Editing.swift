import FxAudio
import FxChain
import FxEngine

extension RenderRequest {
  /// Fades and padding of the outputs named in the request.
  public struct Ends: Sendable, Hashable {
    /// The length of the fade-in in seconds.
    public var fadeIn = 0.0
    /// The length of the fade-out at the end of the sound, in seconds. The tail is part of the
    /// sound.
    public var fadeOut = 0.0
    /// Seconds of silence before the sound.
    public var padStart = 0.0
    /// Seconds of silence after it.
    public var padEnd = 0.0

    public init() {}
  }

  /// How the main input is played.
  public struct MainInput: Sendable, Hashable {
    /// The places where silence is removed.
    public enum SilenceCut: String, Sendable, Hashable, CaseIterable {
      case start, end, ends, inside, all
    }

    /// How many times the part selected by `start` and `duration` is played.
    public var playCount = 1
    /// Plays that part backwards.
    public var isReversed = false
    /// Channels from 1, in the order in which they are played; empty for all.
    public var channels: [Int] = []
    /// Removes silence. `start` and `duration` count in the remaining sound.
    public var cutsSilence: SilenceCut?

    public init() {}

    /// True if the edits do not move the sound in time.
    var keepsTime: Bool { playCount == 1 && !isReversed && cutsSilence == nil }
  }

  /// Where the sound is split into several files.
  public enum Split: Sendable, Hashable {
    case silence
    /// At the chapters that an unsplit file would have.
    case chapters
    /// In parts of this length.
    case every(seconds: Double)
    /// At these times in seconds, in ascending order.
    case times([Double])
    /// In parts of at most this size.
    case size(bytes: Int)

    /// Reads the spelling of chains: `silence`, `chapters`, `10 min`, `100 MB`, `1:30, 4:05`; nil
    /// for other texts.
    public init?(_ text: String) {
      switch SplitRule(text) {
      case .silence: self = .silence
      case .chapters: self = .chapters
      case .every(let seconds): self = .every(seconds: seconds)
      case .times(let times): self = .times(times)
      case .size(let bytes): self = .size(bytes: bytes)
      case nil: return nil
      }
    }

    /// The possible spellings, for messages.
    package static let forms = SplitRule.forms

    var rule: SplitRule {
      switch self {
      case .silence: .silence
      case .chapters: .chapters
      case .every(let seconds): .every(seconds)
      case .times(let times): .times(times)
      case .size(let bytes): .size(bytes)
      }
    }
  }

  /// What counts as silence when a sound is split or cut.
  public struct Silence: Sendable, Hashable {
    /// The level in decibels. A sound is silent while no sample is above it.
    public var level = SilenceRule().level
    /// The minimum length of silence between two sounds, in seconds.
    public var time = SilenceRule().time
    /// Seconds of a silence that are kept, half on each side; nil for the default.
    public var keep: Double?

    public init() {}

    var rule: SilenceRule { SilenceRule(level: level, time: time, keep: keep) }
  }

  /// Moves `start` and `duration` into `piece` if the input is repeated or reversed.
  func movingPiece() -> RenderRequest {
    guard mainInput.playCount != 1 || mainInput.isReversed, start > 0 || duration != nil else {
      return self
    }
    var request = self
    request.piece = (start, duration)
    request.start = 0
    request.duration = nil
    return request
  }

  var inputEdit: InputEdit {
    var edit = InputEdit()
    edit.start = piece.flatMap { $0.start > 0 ? $0.start : nil }
    edit.duration = piece?.duration
    edit.playCount = mainInput.playCount
    edit.isReversed = mainInput.isReversed
    edit.channels = mainInput.channels
    edit.cut = mainInput.cutsSilence.flatMap { FxAudio.SilenceCut.Part(rawValue: $0.rawValue) }
      .map { FxAudio.SilenceCut($0, silence.rule) }
    return edit
  }

  /// Refuses values that are out of range.
  func checkEditing() throws(ChainFailure) {
    if !(1...1_000_000).contains(mainInput.playCount) {
      throw .outOfRange("a sound is played 1 to 1000000 times, not \(mainInput.playCount)")
    }
    if let channel = mainInput.channels.first(where: { !EndpointSpec.channelCounts.contains($0) }) {
      throw .outOfRange("channels are 1 to 256, not \(channel)")
    }
    if let loudness, !(-70.0...0).contains(loudness) {
      throw .outOfRange("a loudness is -70 to 0 LUFS, not \(shortNumber(loudness))")
    }
    if !mainInput.keepsTime, replay != nil {
      throw ChainFailure(
        .request, code: "usage", "a replay repeats the performance as it was: leave the edits out")
    }
    for (name, value) in [("fade in", ends.fadeIn), ("fade out", ends.fadeOut)]
    where !OutputShape.fades.contains(value) {
      throw .outOfRange("a \(name) lasts 0 to 300 s, not \(shortNumber(value))")
    }
    for value in [ends.padStart, ends.padEnd] where !OutputShape.pads.contains(value) {
      throw .outOfRange("a sound is padded with 0 to 86400 s, not \(shortNumber(value))")
    }
    if !SilenceRule.levels.contains(silence.level) {
      throw .outOfRange("the level of silence is -120 to 0 dB, not \(shortNumber(silence.level))")
    }
    if !SilenceRule.times.contains(silence.time) {
      throw .outOfRange("the shortest silence is 0.01 to 30 s, not \(shortNumber(silence.time))")
    }
    if let keep = silence.keep, !SilenceRule.keeps.contains(keep) {
      throw .outOfRange("0 to 30 s of a silence are kept, not \(shortNumber(keep))")
    }
    switch split {
    case .every(let seconds) where !SplitRule.lengths.contains(seconds):
      throw .outOfRange("a part lasts 0.1 s or more, not \(shortNumber(seconds))")
    case .size(let bytes) where !SplitRule.sizes.contains(bytes):
      throw .outOfRange("a part has 1 MB or more, not \(bytes) bytes")
    case .times(let times)
    where times.count > SplitRule.timeLimit || zip([0] + times, times).contains { !($0 < $1) }:
      throw .outOfRange("the times of the parts are in order, and at most \(SplitRule.timeLimit)")
    default: break
    }
  }
}
