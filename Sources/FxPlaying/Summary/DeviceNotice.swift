import FxAudio
package import FxMedia

/// An event of a performance's sound device, MIDI inputs, streams or output files, with a sentence
/// for people.
public struct DeviceNotice: Sendable, CustomStringConvertible {
  public enum Kind: String, Sendable, CaseIterable {
    /// The device's settings differ from the request.
    case differs
    /// The device ran dry or over; the sound has a gap.
    case xrun
    /// The device was served later than its buffer lasts, but reported no xrun.
    case gap
    /// The device or the system was suspended.
    case suspended
    /// The device failed or stood still, and was restarted.
    case restarted
    /// The device is missing at the start; fxrun waits for it.
    case absent
    /// The device is gone; fxrun waits for it.
    case lost
    /// The device is back, but cannot be used with its settings; fxrun waits.
    case unusable
    /// The device is back.
    case returned
    /// A file could not be written as fast as the device plays, and has a silent part.
    case overrun
    /// A file cannot be written any more.
    case unwritten
    /// A recording into a file has started.
    case recordingStarted = "recording-started"
    /// A recording into a file has stopped.
    case recordingStopped = "recording-stopped"
    /// The part of a file that a killed fxrun had written is kept.
    case recovered
    /// A pipe waits for a program that reads it.
    case waiting
    /// A stream fills its buffer before it plays.
    case buffering
    /// A stream reports its station.
    case station
    /// A stream reports a new title.
    case title
    /// A stream broke off or its server is busy; fxrun tries again.
    case reconnecting
    /// A stream continues where it broke off.
    case resumed
    /// A station plays again, but the sound sent in between is missing; or the station has ended.
    case streamGap = "stream-gap"
    /// An entry of a playlist cannot be played.
    case skipped
    /// A stream arrived slower than it plays; it is silent for a while.
    case underrun
    /// A stream plays again after an underrun.
    case refilled
    /// A file or a pipe was not ready; silence took the place of its frames.
    case notReady = "not-ready"
    /// fxrun waits for the sender of a MIDI input.
    case midiWaiting = "midi-waiting"
    /// A MIDI input is connected to its sender.
    case midiConnected = "midi-connected"
    /// The sender of a MIDI input is gone; it is connected again when it returns.
    case midiLost = "midi-lost"
  }

  public let kind: Kind
  /// How many times it happened in a row.
  public let count: Int
  /// One sentence for people.
  public let description: String
  /// The title of a stream; nil for other events.
  public var title: String?
  /// The position in the stream's sound, in seconds, where it applies; nil if there is none.
  public var seconds: Double?
  /// Frames of silence in place of a source that was not ready; nil for other events.
  public var frames: Int?

  package init(_ kind: Kind, _ description: String, title: String? = nil, seconds: Double? = nil) {
    self.kind = kind
    count = 1
    self.description = description
    self.title = title
    self.seconds = seconds
  }

  package init(differing description: String) {
    kind = .differs
    count = 1
    self.description = description
  }

  package init(_ file: RecoveredFile) {
    kind = .recovered
    count = 1
    description =
      "fxrun was killed while it wrote \(file.target); what it had written is in \(file.path) (\(file.length))"
  }

  package init(waitingFor pipe: String) {
    kind = .waiting
    count = 1
    description = "waiting for a program that reads the pipe \(pipe)"
  }

  /// A device that is missing at the start.
  package init(absent name: String, _ reason: String) {
    kind = .absent
    count = 1
    description = "the sound device '\(name)' cannot be opened yet: \(reason); waiting for it"
  }

  /// A device that was missing at the start and has appeared.
  package init(appeared name: String, after seconds: Double) {
    kind = .returned
    count = 1
    description = "'\(name)' is there after \(Self.tenths(seconds)) s"
  }

  package init(_ change: SenderChange) {
    kind =
      switch change.kind {
      case .waiting: .midiWaiting
      case .connected: .midiConnected
      case .lost: .midiLost
      }
    count = 1
    description = change.description
  }

  package init(_ event: FileEvent, sampleRate: Double) {
    switch event {
    case .overrun(let name, let frame, let count):
      kind = .overrun
      self.count = count
      let seconds = Self.milliseconds(frame, sampleRate)
      description =
        "overrun: \(name) cannot be written as fast as it is recorded; it is silent from "
        + "\(seconds) s (frame \(frame)) on until it can"
        + (count == 1 ? "" : ", the last of \(count) times")
    case .failed(let error):
      kind = .unwritten
      count = 1
      description = "\(error); nothing more is written to it"
    case .started(let name, let frame):
      kind = .recordingStarted
      count = 1
      description =
        "\(name): recording from \(Self.milliseconds(frame, sampleRate)) s (frame \(frame))"
    case .stopped(let name, let frame, let frameCount):
      kind = .recordingStopped
      count = 1
      description =
        "\(name): recorded to \(Self.milliseconds(frame, sampleRate)) s (frame \(frame)), "
        + "\(Self.milliseconds(frameCount, sampleRate)) s in all"
    }
  }

  package init(_ event: DeviceEvent, count: Int, of device: SoundDevice) {
    self.count = count
    let times = count == 1 ? "" : ", \(count) times"
    func name(_ direction: DeviceDirection) -> String {
      let end = direction == .capture ? device.request.capture : device.request.playback
      return "'\(end?.name ?? device.name)'"
    }
    switch event {
    case .xrun(let direction, let cause):
      kind = .xrun
      let verb = direction == .capture ? "ran over" : "ran dry"
      description = "xrun: \(name(direction)) \(verb)\(times): \(Self.words(cause))"
    case .gap(let direction, let cause, let milliseconds):
      kind = .gap
      description =
        "gap: \(name(direction)) was served \(milliseconds) ms later than its buffer lasts\(times), and "
        + "reported no xrun: \(Self.words(cause))"
    case .suspended(let seconds):
      kind = .suspended
      description =
        "\(name(.playback)) was suspended for \(Self.tenths(seconds)) s and goes on\(times)"
    case .restarted(let direction, let code):
      kind = .restarted
      description =
        "\(name(direction)) was restarted\(times): \(SoundDevice.reason(code, direction))"
    case .lost(let direction, let code):
      kind = .lost
      description =
        "\(name(direction)) is lost: \(SoundDevice.reason(code, direction)); waiting for it"
    case .unusable(let change):
      kind = .unusable
      description =
        "'\(device.name)' is back\(Self.words(change)) and cannot be converted to "
        + "\(Int(clamping: device.sampleRate)) Hz"
        + (device.format.channelCount > 0
          ? " and \(Self.channels(device.format.channelCount))" : "") + "; waiting for it"
    case .returned(let seconds, let change):
      kind = .returned
      let conversion = change == DeviceChange() ? "" : "\(Self.words(change)), which ALSA converts"
      description = "'\(device.name)' is back after \(Self.tenths(seconds)) s\(conversion)"
    }
  }

  /// ` at 44100 Hz and with 1 channel`; empty for no change.
  private static func words(_ change: DeviceChange) -> String {
    let facts = [
      change.sampleRate > 0 ? "at \(Int(clamping: change.sampleRate)) Hz" : nil,
      change.channelCount > 0 ? "with \(channels(change.channelCount))" : nil,
      change.recordedChannelCount > 0
        ? "recording \(channels(change.recordedChannelCount))" : nil,
    ].compactMap { $0 }
    return facts.isEmpty ? "" : " " + facts.joined(separator: ", ")
  }

  private static func channels(_ count: Int) -> String {
    count == 1 ? "1 channel" : "\(count) channels"
  }

  private static func words(_ cause: LateCause) -> String {
    switch cause {
    case .slowChain: "the chain took longer than its block lasts"
    case .chainChange: "fxrun was changing the chain"
    case .lateSource: "fxrun waited for a source that was not ready"
    case .system: "the system or the device was late, the chain was in time"
    }
  }

  private static func milliseconds(_ frame: Int, _ sampleRate: Double) -> Double {
    (Double(frame) / sampleRate * 1000).rounded() / 1000
  }

  package static func tenths(_ seconds: Double) -> Double { (seconds * 10).rounded() / 10 }
}
