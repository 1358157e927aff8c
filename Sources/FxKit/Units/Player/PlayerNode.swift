public import FxAudio
import Synchronization

/// Plays buffers of the program, one after another or at given times, on the render thread.
///
///     let player = try PlayerNode("player", SampleFormat(channels: 2))
///     let chain = Chain(json: text, units: UnitSet(player))
///     try player.schedule(jingle, at: .now, options: [.interrupts])
///     try await player.schedule(announcement, until: .playedBack)
///
/// A scheduled buffer begins with the first block after the call at the earliest.
public final class PlayerNode: ProgramNode {
  /// When a buffer begins.
  public enum Moment: Sendable, Hashable {
    /// When the buffer before it ends.
    case next
    /// With the next block, beside nothing: the buffer before it is cut with a fade of 5 ms.
    case now
    /// At a frame of the node's timeline (`PlayerNode.frame`); at once if it has passed.
    case frame(Int)
    /// At a time of the monotonic clock, in seconds; at once if it has passed. In a render that is not live,
    /// at once.
    case host(Double)
  }

  public struct Options: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Repeats the buffer until `stop` or a buffer that interrupts.
    public static let loops = Options(rawValue: 1)
    /// Drops all buffers before this one, and cuts the sounding one, with a fade of 5 ms, when this one
    /// begins.
    public static let interrupts = Options(rawValue: 2)
  }

  /// How far a buffer has come.
  public enum Stage: Sendable, Hashable, CaseIterable {
    /// Its last frame was taken; its memory is free.
    case consumed
    /// The chain has rendered its last frame.
    case rendered
    /// Its last frame has been heard: the latencies of the chain and the device are over.
    case playedBack
  }

  /// How a buffer ended.
  public enum Outcome: Sendable, Hashable {
    case played
    /// It was interrupted, stopped, or the performance ended before its end.
    case cut
  }

  public let name: String
  public let format: SampleFormat
  public let type: UnitType
  private let voice: PlayerVoice

  /// - Parameters:
  ///   - name: the unit's name in the chain: letters and digits, beginning with a small letter.
  ///   - format: the format of every buffer. Its sample rate must be that of the chain.
  /// - Throws: `ChainFailure` of kind `request` for a format that no sound has.
  public init(_ name: String, _ format: SampleFormat = SampleFormat()) throws(ChainFailure) {
    try format.check()
    self.name = name
    self.format = format
    let voice = PlayerVoice(channelCount: format.channels)
    self.voice = voice
    let rate = format.sampleRate
    type = UnitType(
      of: voice,
      UnitSpec(
        name, summary: "Plays buffers of the program.", category: "program", inputs: [],
        outputs: [OutputBusSpec("out", width: .exactly(format.channels))]),
      PlayerVoice.entry
    ) { voice, preparation throws(Failure) in
      guard preparation.sampleRate == rate else {
        throw Failure(
          "'\(name)' plays buffers at \(Int(rate)) Hz, and the chain runs at \(Int(preparation.sampleRate)) Hz: "
            + "convert them, or give the chain this sample rate")
      }
      voice.begin(preparation)
    }
  }

  /// Adds a buffer to the schedule. From any thread; never waits.
  ///
  /// - Parameters:
  ///   - buffer: samples of the node's format.
  ///   - moment: when it begins. Buffers begin in the order in which they were scheduled.
  ///   - options: whether it repeats, and whether it interrupts.
  ///   - stage: the moment at which `completion` is called.
  ///   - completion: called once, on a thread of the node.
  /// - Throws: `ChainFailure` of kind `request` for another format, an empty buffer that is to loop, and when
  ///   256 buffers are waiting.
  public func schedule(
    _ buffer: PCMBuffer, at moment: Moment = .next, options: Options = [],
    completionAt stage: Stage = .consumed, completion: (@Sendable (Outcome) -> Void)? = nil
  ) throws(ChainFailure) {
    guard buffer.format == format else {
      throw ChainFailure(
        .request, code: .usage,
        "the buffer has \(buffer.format.channels) channels at \(Int(buffer.format.sampleRate)) Hz, and the player "
          + "'\(name)' \(format.channels) at \(Int(format.sampleRate)) Hz: convert it")
    }
    guard buffer.frameCount > 0 || !options.contains(.loops) else {
      throw .outOfRange("an empty buffer cannot repeat")
    }
    guard voice.schedule(buffer, at: moment, options, stage, completion) else {
      throw ChainFailure(
        .request, code: .tooManyChanges,
        "\(PlayerVoice.capacity) buffers are waiting in the player '\(name)': schedule the next when one has ended"
      )
    }
  }

  /// Adds a buffer and waits until it has come to a stage, or was cut.
  ///
  /// Cancelling the task ends the wait; the buffer plays on.
  ///
  /// - Returns: how it ended.
  /// - Throws: `ChainFailure` for a buffer that does not fit, and with the code `interrupted` when the task
  ///   is cancelled.
  @discardableResult
  public func schedule(
    _ buffer: PCMBuffer, at moment: Moment = .next, options: Options = [], until stage: Stage
  ) async throws(ChainFailure) -> Outcome {
    let answer = FirstAnswer<Result<Outcome, ChainFailure>>()
    try schedule(buffer, at: moment, options: options, completionAt: stage) {
      answer.give(.success($0))
    }
    let cancelled = ChainFailure(
      .request, code: .interrupted, "the task was cancelled while it waited for a buffer")
    return try await answer.wait(cancelled: .failure(cancelled)).get()
  }

  /// Cuts the sounding buffer, with a fade of 5 ms, and drops all others.
  public func stop() { voice.stop() }

  /// The next frame of the node's timeline, which grows while the chain renders: for `Moment.frame`.
  public var frame: Int { voice.nextFrame }

  /// The frames of the sounding buffer that have been rendered, repeats included; nil while none sounds.
  public var playedFrames: Int? { voice.playedFrames }
}
