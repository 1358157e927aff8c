import FxAudio

extension LV2Plugin {
  /// The channels of the ports, for each instance that is needed.
  func voiceChannels(
    _ preparation: Preparation, _ start: LV2Start
  ) throws(Failure) -> [LV2Instance.Channels] {
    let buses = description.inputBuses
    let mainCount = description.mainInputs.count
    let mainWidth = mainCount == 0 ? 0 : preparation.inputWidths.first ?? 0
    let isReplicated = description.isReplicable && mainWidth > 1
    guard mainWidth == mainCount || isReplicated || mainWidth == 0 && description.isInstrument
    else {
      throw Failure(
        .usage,
        "LV2 plugin '\(description.uri)' takes \(mainCount) channels, not \(mainWidth)")
    }
    let voiceCount = isReplicated ? mainWidth : 1
    for (bus, width) in zip(buses, preparation.inputWidths) where bus.isOptional {
      let count = bus.ports.count
      guard width == 0 || width == count || width == count * voiceCount else {
        let name = bus.name == "sidechain" ? "the side-chain" : "the input '\(bus.name)'"
        throw Failure(
          .usage,
          "\(name) of LV2 plugin '\(description.uri)' takes \(count) channels, not \(width)")
      }
    }
    var controlled: [Int: (slot: Int, parameter: LV2Kernel.Parameter)] = [:]
    for (slot, reader) in parameters.enumerated() where reader.port.kind == .cv {
      let parameter = kernelParameter(
        reader, start: startValue(slot, preparation), preparation, start)
      controlled[reader.port.index] = (slot, parameter)
    }
    return (0..<voiceCount).map { voice in
      LV2Instance.Channels(
        inputs: LV2Plugin.channels(of: buses, preparation.inputWidths, voice: voice),
        outputs: LV2Plugin.channels(
          of: description.outputBuses, preparation.outputWidths, voice: voice),
        controlled: controlled)
    }
  }

  /// Channels by port index. A bus with channels for every voice gives each voice its own;
  /// otherwise all voices share the bus's channels.
  private static func channels(of buses: [LV2Bus], _ widths: [Int], voice: Int) -> [Int: Int] {
    var channels: [Int: Int] = [:]
    var first = 0
    for (bus, width) in zip(buses, widths) {
      let count = bus.ports.count
      let start = first + (width > count ? voice * count : 0)
      if width >= count {
        for (position, port) in bus.ports.enumerated() { channels[port.index] = start + position }
      }
      first += width
    }
    return channels
  }

  /// Refuses a plugin that requires a fixed block length where the lengths vary.
  func checkBlocks(_ preparation: Preparation) throws(Failure) {
    let length = LV2Features.blockLength(preparation.maximumFrameCount)
    if let problem = LV2Quirks.problem(
      of: description.uri, blockLength: length, sampleRate: preparation.sampleRate)
    {
      throw Failure(.unusablePlugin, problem)
    }
    let wanted = [LV2URI.fixedBlockLength, LV2URI.powerOf2BlockLength]
      .filter(description.requiredFeatures.contains)
    guard let feature = wanted.last,
      let reason = LV2Features.whyNotFixed(
        preparation, powerOf2: feature == LV2URI.powerOf2BlockLength)
    else { return }
    throw Failure(
      .unusablePlugin,
      "LV2 plugin '\(description.uri)' requires the feature '\(feature)', and \(reason)")
  }
}
