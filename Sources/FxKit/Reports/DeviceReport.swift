package import FxChain
import FxPlaying

/// The report of `fxrun devices` on a sound device.
package struct DeviceReport {
  let device: DeviceDescription

  /// All devices that can play or record, `default` first. Each is opened briefly; a device that
  /// does not answer costs two seconds.
  package static func all() -> [DeviceReport] {
    DeviceCatalog.devices().map { DeviceReport(device: $0) }
  }

  /// The names of the devices that may play, or record, with their titles. None is opened.
  package static func names(recording: Bool) -> [(name: String, title: String)] {
    DeviceCatalog.names(recording ? .capture : .playback)
  }

  /// The reason why no device may be usable; nil if the system has a sound card that may be used.
  package static func remark(on reports: [DeviceReport]) -> String? {
    guard !DeviceCatalog.hasCard else { return nil }
    guard !DevicePermission.isDenied else {
      return "no sound card can be used: \(DevicePermission.reason)"
    }
    return reports.contains(where: \.device.isUsable)
      ? "no sound card: ALSA's configuration defines these devices"
      : "no sound device can be used: the system knows no sound card ('cat /proc/asound/cards' "
        + "lists them) and no sound server answers"
  }

  package var text: String {
    var lines = [device.title.isEmpty ? device.name : "\(device.name)  \(device.title)"]
    for direction in DeviceDirection.allCases {
      guard let end = device.ends[direction] else { continue }
      lines.append("  \(verb(direction).padded(to: 8))\(text(of: end))")
    }
    return Text.lines(lines)
  }

  private func verb(_ direction: DeviceDirection) -> String {
    switch direction {
    case .playback: "plays"
    case .capture: "records"
    }
  }

  private func text(of end: DeviceEnd) -> String {
    switch end {
    case .busy: "busy: another program is using it"
    case .unavailable(let reason): "cannot be opened: \(reason)"
    case .unresponsive: "does not answer"
    case .available(let abilities): text(of: abilities)
    }
  }

  private func text(of abilities: DeviceAbilities) -> String {
    let channels = range(abilities.channels)
    let rates =
      abilities.usualSampleRates.isEmpty
      ? range(abilities.sampleRates)
      : abilities.usualSampleRates.map(String.init).joined(separator: " ")
    return [
      abilities.formats.isEmpty ? "no usable format" : abilities.formats.joined(separator: " "),
      "\(rates) Hz", "\(channels) \(channels == "1" ? "channel" : "channels")",
      "period \(range(abilities.period)), buffer \(range(abilities.buffer)) frames",
    ].joined(separator: " · ")
  }

  private func range(_ range: ClosedRange<Int>) -> String {
    range.lowerBound == range.upperBound
      ? "\(range.lowerBound)" : "\(range.lowerBound)–\(range.upperBound)"
  }

  package var json: JSONOutput {
    .members([
      "name": .string(device.name), "title": .string(device.title),
      "playback": device.ends[.playback].map(json),
      "capture": device.ends[.capture].map(json),
    ])
  }

  private func json(_ end: DeviceEnd) -> JSONOutput {
    switch end {
    case .busy: .members(["state": .string("busy")])
    case .unavailable(let reason):
      .members(["state": .string("unavailable"), "reason": .string(reason)])
    case .unresponsive: .members(["state": .string("unresponsive")])
    case .available(let abilities): json(abilities)
    }
  }

  private func json(_ abilities: DeviceAbilities) -> JSONOutput {
    .members([
      "state": .string("available"),
      "formats": .array(abilities.formats.map { .string($0) }),
      "sampleRates": .array(abilities.usualSampleRates.map { .integer($0) }),
      "minimumSampleRate": .integer(abilities.sampleRates.lowerBound),
      "maximumSampleRate": .integer(abilities.sampleRates.upperBound),
      "minimumChannels": .integer(abilities.channels.lowerBound),
      "maximumChannels": .integer(abilities.channels.upperBound),
      "minimumPeriodFrames": .integer(abilities.period.lowerBound),
      "maximumPeriodFrames": .integer(abilities.period.upperBound),
      "minimumBufferFrames": .integer(abilities.buffer.lowerBound),
      "maximumBufferFrames": .integer(abilities.buffer.upperBound),
      "isMapped": .bool(abilities.isMapped),
    ])
  }
}
