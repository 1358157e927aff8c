package import FxChain
import FxMedia

/// The report of `fxrun info` on a sound file.
package struct SoundReport {
  let path: String
  let info: SoundInfo

  package init(path: String, info: SoundInfo) {
    self.path = path
    self.info = info
  }

  private var properties: SoundProperties { info.properties }
  package var warnings: [String] { info.warnings }

  package var text: String {
    var lines = [path]
    func row(_ name: String, _ value: String?) {
      if let value { lines.append("  \(name.padded(to: 11))\(value)") }
    }
    row("format", format)
    row("sound", sound)
    row("duration", duration)
    row("bit rate", bitRate)
    row("packets", packets)
    row("trimmed", trimmed)
    row("data", properties.dataOffset.map { "from byte \($0)" })
    row("gain", gain)
    if properties.laterSoundCount > 0 {
      row(
        "then",
        Text.count(
          properties.laterSoundCount, "more sound in the same stream",
          "more sounds in the same stream"))
    }
    row(
      "damage",
      properties.discontinuityCount > 0
        ? Text.count(properties.discontinuityCount, "place") : nil)
    for (key, values) in info.tags.texts.sorted(by: { $0.key < $1.key }) {
      for value in values { lines.append("  \(key): \(value)") }
    }
    for picture in info.tags.pictures {
      lines.append("  picture: \(picture.mimeType), \(picture.bytes.count) bytes")
    }
    for (index, chapter) in info.tags.chapters.enumerated() {
      lines.append("  chapter \(index + 1): \(clock(chapter.start))  \(chapter.title)")
    }
    return Text.lines(lines)
  }

  private var format: String {
    let codec = properties.codec.map {
      $0 == properties.container ? $0 : "\(properties.container), \($0)"
    }
    let bits = properties.bitsPerSample.map { ", \($0) bits\(properties.isFloat ? " float" : "")" }
    return (codec ?? properties.container) + (bits ?? "")
  }

  private var sound: String? {
    guard let rate = properties.sampleRate, let count = properties.channelCount else { return nil }
    let layout = properties.layout.map { " (\($0))" } ?? ""
    return "\(Text.decimal(rate, 0)) Hz, \(Text.count(count, "channel"))\(layout)"
  }

  private var duration: String? {
    guard let length = properties.frameCount, let seconds = properties.duration else { return nil }
    let frames = "\(clock(seconds)), \(length.count) frames"
    return switch length.certainty {
    case .exact: "\(frames), counted"
    case .declared: "\(frames), as the header says"
    case .estimated: "about \(frames), estimated"
    }
  }

  private var bitRate: String? {
    properties.bitRate.map { rate in
      let kind =
        switch rate.kind {
        case .constant: "constant"
        case .variable: "variable"
        case .nominal: "as the header says"
        case .estimated: "estimated"
        }
      return "\(Text.decimal(rate.value / 1000, 1)) kbit/s, \(kind)"
    }
  }

  private var packets: String? {
    guard let packets = properties.packetCount else { return nil }
    let each = properties.framesPerPacket.map { ", \(Text.count($0, "frame")) each" } ?? ""
    return "\(packets.certainty == .estimated ? "about " : "")\(packets.count)\(each)"
  }

  private var trimmed: String? {
    let delay = properties.encoderDelay ?? 0
    let padding = properties.encoderPadding ?? 0
    guard delay > 0 || padding > 0 else { return nil }
    return "\(delay) frames in front and \(padding) behind, which the encoder added"
  }

  private var gain: String? {
    let gains = info.tags.gains
    let parts = [
      gains.trackGain.map { "track \(signed($0))" }, gains.albumGain.map { "album \(signed($0))" },
      gains.r128TrackGain.map { "R128 track \(signed($0))" },
      gains.r128AlbumGain.map { "R128 album \(signed($0))" },
      properties.headerGain.map { "header \(signed($0))" },
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private func signed(_ decibels: Double) -> String {
    "\(decibels > 0 ? "+" : "")\(Text.decimal(decibels, 2)) dB"
  }

  /// `1:02:03.250`.
  private func clock(_ seconds: Double) -> String {
    let milliseconds = Int((min(max(seconds, 0), 1e12) * 1000).rounded())
    let whole = milliseconds / 1000
    let fraction = "\(1000 + milliseconds % 1000)".dropFirst()
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let minutes = whole < 3600 ? "\(whole / 60)" : "\(whole / 3600):\(two(whole / 60 % 60))"
    return "\(minutes):\(two(whole % 60)).\(fraction)"
  }
}

extension SoundReport {
  package var json: JSONOutput {
    .members([
      "file": .string(path),
      "container": .string(properties.container),
      "codec": properties.codec.map { .string($0) },
      "sampleRate": properties.sampleRate.map { .number($0) },
      "channels": properties.channelCount.map { .integer($0) },
      "layout": properties.layout.map { .string($0) },
      "bitsPerSample": properties.bitsPerSample.map { .integer($0) },
      "isFloat": properties.bitsPerSample.map { _ in .bool(properties.isFloat) },
      "bitRate": properties.bitRate.map {
        .members(["bitsPerSecond": .number($0.value), "kind": .string($0.kind.rawValue)])
      },
      "bytes": properties.byteCount.map { .integer($0) },
      "dataOffset": properties.dataOffset.map { .integer($0) },
      "packets": properties.packetCount.map(length),
      "frames": properties.frameCount.map(length),
      "seconds": properties.duration.map { .number($0) },
      "framesPerPacket": properties.framesPerPacket.map { .integer($0) },
      "encoderDelay": properties.encoderDelay.map { .integer($0) },
      "encoderPadding": properties.encoderPadding.map { .integer($0) },
      "discontinuities": .integer(properties.discontinuityCount),
      "laterSounds": .integer(properties.laterSoundCount),
      "tags": .object(
        info.tags.texts.sorted { $0.key < $1.key }.map { key, values in
          JSONOutput.Member(
            key, values.count == 1 ? .string(values[0]) : .array(values.map { .string($0) }))
        }),
      "gains": gains,
      "pictures": .array(
        info.tags.pictures.map {
          .members([
            "kind": .integer($0.kind), "type": .string($0.mimeType),
            "description": .string($0.description), "bytes": .integer($0.bytes.count),
          ])
        }),
      "chapters": .array(
        info.tags.chapters.map {
          .members([
            "title": .string($0.title), "start": .number($0.start),
            "end": $0.end.map { .number($0) },
          ])
        }),
      "warnings": .array(info.warnings.map { .string($0) }),
    ])
  }

  private func length(_ length: SoundProperties.Length) -> JSONOutput {
    .members(["count": .integer(length.count), "known": .string(length.certainty.rawValue)])
  }

  private var gains: JSONOutput {
    let gains = info.tags.gains
    return .members([
      "trackGain": gains.trackGain.map { .number($0) },
      "trackPeak": gains.trackPeak.map { .number($0) },
      "albumGain": gains.albumGain.map { .number($0) },
      "albumPeak": gains.albumPeak.map { .number($0) },
      "r128TrackGain": gains.r128TrackGain.map { .number($0) },
      "r128AlbumGain": gains.r128AlbumGain.map { .number($0) },
      "headerGain": properties.headerGain.map { .number($0) },
    ])
  }
}
