/// A sound device that chains can name.
package struct DeviceDescription: Sendable, Hashable {
  /// Its name in ALSA and in chains: `default`, `hw:CARD=PCH,DEV=0`.
  package let name: String
  /// A title from ALSA or from the card; may be empty.
  package let title: String
  /// The directions that it has.
  package let ends: [DeviceDirection: DeviceEnd]

  /// True when it can play or record, now or later.
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
  /// Another program is using it.
  case busy
  /// It is listed but cannot be opened, for this reason.
  case unavailable(String)
  /// Opening it exceeds the time limit.
  case unresponsive
}

/// The settings that one direction of a device supports.
package struct DeviceAbilities: Sendable, Hashable {
  /// The sample formats that fxrun can use, best first, by ALSA's names.
  package let formats: [String]
  /// In Hz, from the lowest to the highest.
  package let sampleRates: ClosedRange<Int>
  /// The supported ones of the usual rates.
  package let usualSampleRates: [Int]
  package let channels: ClosedRange<Int>
  /// In frames, at the rate nearest to 48 kHz.
  package let period: ClosedRange<Int>
  package let buffer: ClosedRange<Int>
  package let isMapped: Bool
}
