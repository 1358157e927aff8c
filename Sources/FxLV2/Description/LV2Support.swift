import FxAudio
import Glibc

/// Decides whether fxrun can host a plugin, and explains a refusal.
enum LV2Support {
  /// Features that a plugin may require.
  static let features: Set<String> = [
    LV2URI.uridMap, LV2URI.uridUnmap, LV2URI.options, LV2URI.boundedBlockLength,
    LV2URI.coarseBlockLength, LV2URI.schedule, LV2URI.log, LV2URI.loadDefaultState,
    LV2URI.threadSafeRestore, LV2URI.makePath, LV2URI.mapPath, LV2URI.freePath,
    LV2URI.supportsStrictBounds, LV2URI.hardRealtimeCapable,
    LV2URI.resizePort, LV2URI.uriMap, LV2URI.event,
    // Supported where all blocks have the same length; elsewhere `LV2Plugin.make` refuses the
    // plugin.
    LV2URI.fixedBlockLength, LV2URI.powerOf2BlockLength,
    // Supported: an input and an output never share memory.
    LV2URI.inPlaceBroken,
    // Offline, only a plugin that requires it gets it; it renders as well as any other.
    LV2URI.isLive,
  ]

  /// Options that a plugin may require.
  static let options: Set<String> = [
    LV2URI.sampleRateOption, LV2URI.minimumBlockLength, LV2URI.maximumBlockLength,
    LV2URI.nominalBlockLength, LV2URI.sequenceSize,
  ]

  /// The reason in the description why a plugin cannot be hosted; nil when there is none.
  static func refusal(of description: LV2Description) -> Failure? {
    let uri = description.uri
    if let feature = description.requiredFeatures.first(where: { !features.contains($0) }) {
      return Failure(
        .unusablePlugin, "LV2 plugin '\(uri)' requires the feature '\(feature)', which fxrun lacks")
    }
    if let option = description.requiredOptions.first(where: { !options.contains($0) }) {
      return Failure(
        .unusablePlugin, "LV2 plugin '\(uri)' requires the option '\(option)', which fxrun lacks")
    }
    guard !description.ports.isEmpty else {
      return Failure(
        .unusablePlugin, "the description of LV2 plugin '\(uri)' declares no usable ports")
    }
    for port in description.ports {
      guard case .unknown(let types) = port.kind, !port.isOptional else { continue }
      let type = types.isEmpty ? "no type" : "type '\(types.joined(separator: "', '"))'"
      return Failure(
        .unusablePlugin,
        "port '\(port.symbol)' of LV2 plugin '\(uri)' has \(type), which fxrun cannot connect")
    }
    let gives = description.ports.contains {
      $0.kind == .audio || $0.kind == .cv || $0.carriesEvents || $0.kind == .control && !$0.isInput
    }
    guard gives else {
      return Failure(.unusablePlugin, "LV2 plugin '\(uri)' has no output that fxrun can connect")
    }
    guard let binary = description.binary else {
      return Failure(
        .unusablePlugin, "the description of LV2 plugin '\(uri)' names no binary")
    }
    guard access(binary, R_OK) == 0 else {
      return Failure(
        .unreadable, "the binary of LV2 plugin '\(uri)' cannot be read: \(binary)")
    }
    return nil
  }
}
