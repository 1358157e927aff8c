/// A sound device that chains can name.
package struct DeviceDescription: Sendable, Hashable {
  /// As ALSA and chains spell it: `default`, `hw:CARD=PCH,DEV=0`.
  package let name: String
  /// What it is, in ALSA's or the card's words; may be empty.
  package let title: String
  /// In the directions that it has.
  package let ends: [DeviceDirection: DeviceEnd]

  /// True when it plays or records, if not now.
  package var isUsable: Bool {
    ends.values.contains { end in
      switch end {
      case .available, .busy: true
      case .unavailable, .unresponsive: false
      }
    }
  }
}

/// One direction of a device.
package enum DeviceEnd: Sendable, Hashable {
  case available(DeviceAbilities)
  /// Another program has it.
  case busy
  /// It is listed and cannot be opened, for this reason.
  case unavailable(String)
  /// Opening it takes longer than anybody waits.
  case unresponsive
}

/// What one direction of a device can be set to.
package struct DeviceAbilities: Sendable, Hashable {
  /// The sample formats that are used here, best first, by ALSA's names.
  package let formats: [String]
  /// Frames a second, from the least to the greatest.
  package let sampleRates: ClosedRange<Int>
  /// The usual rates among them.
  package let usualSampleRates: [Int]
  package let channels: ClosedRange<Int>
  /// Frames, at the rate that is nearest to 48 kHz.
  package let period: ClosedRange<Int>
  package let buffer: ClosedRange<Int>
  package let isMapped: Bool
}
