import CSndFile
import FxAudio

/// The channel names in libsndfile's codes.
enum SoundFileChannels {
  /// The channel order of an open file; the order of WAV if the file does not declare one.
  static func order(of file: OpaquePointer, channelCount: Int) -> ChannelOrder {
    var codes = [Int32](repeating: 0, count: channelCount)
    let size = Int32(channelCount * MemoryLayout<Int32>.size)
    guard channelCount > 1,
      sf_command(file, Int32(SFC_GET_CHANNEL_MAP_INFO), &codes, size) != 0
    else { return ChannelOrder(.usual(channelCount)) }
    let names = codes.compactMap { name($0) }
    guard names.count == channelCount, let order = ChannelOrder(names) else {
      return ChannelOrder(names.isEmpty ? .usual(channelCount) : .discrete(channelCount))
    }
    return order
  }

  /// Writes the channel layout into an open file. Formats that cannot store it are left without.
  static func write(_ layout: ChannelLayout, to file: OpaquePointer?) {
    guard layout.isNamed, layout.channelCount > 2 else { return }
    var codes = layout.channels.map(code)
    let size = Int32(codes.count * MemoryLayout<Int32>.size)
    sf_command(file, Int32(SFC_SET_CHANNEL_MAP_INFO), &codes, size)
  }

  private static func name(_ code: Int32) -> ChannelName? {
    switch Int(code) {
    case SF_CHANNEL_MAP_FRONT_LEFT: .frontLeft
    case SF_CHANNEL_MAP_FRONT_RIGHT: .frontRight
    case SF_CHANNEL_MAP_MONO, SF_CHANNEL_MAP_FRONT_CENTER: .frontCentre
    default: ChannelName.allCases.first { self.code($0) == code }
    }
  }

  private static func code(_ name: ChannelName) -> Int32 {
    let code =
      switch name {
      // The library derives RF64's mask and the CAF and AIFF tags from these names.
      case .frontLeft: SF_CHANNEL_MAP_LEFT
      case .frontRight: SF_CHANNEL_MAP_RIGHT
      case .frontCentre: SF_CHANNEL_MAP_CENTER
      case .lowFrequency: SF_CHANNEL_MAP_LFE
      case .backLeft: SF_CHANNEL_MAP_REAR_LEFT
      case .backRight: SF_CHANNEL_MAP_REAR_RIGHT
      case .frontLeftOfCentre: SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER
      case .frontRightOfCentre: SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER
      case .backCentre: SF_CHANNEL_MAP_REAR_CENTER
      case .sideLeft: SF_CHANNEL_MAP_SIDE_LEFT
      case .sideRight: SF_CHANNEL_MAP_SIDE_RIGHT
      case .topCentre: SF_CHANNEL_MAP_TOP_CENTER
      case .topFrontLeft: SF_CHANNEL_MAP_TOP_FRONT_LEFT
      case .topFrontCentre: SF_CHANNEL_MAP_TOP_FRONT_CENTER
      case .topFrontRight: SF_CHANNEL_MAP_TOP_FRONT_RIGHT
      case .topBackLeft: SF_CHANNEL_MAP_TOP_REAR_LEFT
      case .topBackCentre: SF_CHANNEL_MAP_TOP_REAR_CENTER
      case .topBackRight: SF_CHANNEL_MAP_TOP_REAR_RIGHT
      }
    return Int32(code)
  }
}
