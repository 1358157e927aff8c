import FxPlaying

/// A sound device of this machine.
public struct DeviceInfo: Sendable, Hashable, Codable {
  /// What a device can be set to, in one direction.
  public struct Settings: Sendable, Hashable, Codable {
    /// The sample formats that fxrun can use, best first, by ALSA's names.
    public let formats: [String]
    /// The lowest and the highest rate in Hz.
    public let sampleRates: ClosedRange<Int>
    /// The rates of those in common use that it supports.
    public let usualSampleRates: [Int]
    public let channels: ClosedRange<Int>
    /// Frames of a period, at the rate nearest to 48 kHz.
    public let periodFrames: ClosedRange<Int>
    /// Frames of the whole buffer, at the rate nearest to 48 kHz.
    public let bufferFrames: ClosedRange<Int>
  }

  /// One direction of a device.
  public enum Direction: Sendable, Hashable, Codable {
    case available(Settings)
    /// Another program uses it.
    case busy
    /// It is listed but cannot be opened, for this reason.
    case unavailable(reason: String)
    /// Opening it takes more than two seconds.
    case unresponsive
  }

  /// The name in chains and requests: `default`, `hw:CARD=PCH,DEV=0`.
  public let name: String
  /// A title from ALSA or from the card; may be empty.
  public let title: String
  /// nil if it does not play.
  public let playback: Direction?
  /// nil if it does not record.
  public let recording: Direction?

  /// Every device that can play or record, `default` first. Opens each one briefly; one that does not
  /// answer takes two seconds.
  public static func all() -> [DeviceInfo] { DeviceCatalog.devices().map(DeviceInfo.init) }

  /// The names of the devices that may play, or record. None is opened.
  ///
  /// - Parameter recording: true for devices that record.
  public static func names(recording: Bool = false) -> [String] {
    DeviceCatalog.names(recording ? .capture : .playback).map(\.name)
  }

  init(_ device: DeviceDescription) {
    name = device.name
    title = device.title
    playback = device.ends[.playback].map(Direction.init)
    recording = device.ends[.capture].map(Direction.init)
  }
}

extension DeviceInfo.Direction {
  init(_ end: DeviceEnd) {
    self =
      switch end {
      case .available(let abilities): .available(DeviceInfo.Settings(abilities))
      case .busy: .busy
      case .unavailable(let reason): .unavailable(reason: reason)
      case .unresponsive: .unresponsive
      }
  }
}

extension DeviceInfo.Settings {
  init(_ abilities: DeviceAbilities) {
    formats = abilities.formats
    sampleRates = abilities.sampleRates
    usualSampleRates = abilities.usualSampleRates
    channels = abilities.channels
    periodFrames = abilities.period
    bufferFrames = abilities.buffer
  }
}
