import FxAudio
import FxEngine
import FxMedia

extension SourceKind {
  /// Pieces of several files, one after another or at given times.
  static let player = SourceKind(
    EndpointSpec(
      "player", "A schedule of regions: pieces of files, after one another or at their times.",
      .regions,
      options: [
        OptionSpec(
          "endless",
          "True for silence behind the last region, without an end: regions may be queued while it "
            + "plays.", .flag, default: nil),
        OptionSpec(
          "channels", "How many; default: as many as the widest region has.",
          .integer(EndpointSpec.channelCounts), default: nil),
        EndpointSpec.layout,
      ], channels: "`channels`, or the widest region's", abilities: [.seek, .loop, .knownLength],
      conflict: EndpointSpec.layoutConflict),
    .schedule
  ) { endpoint, bindings throws(Failure) in
    var files: [String: RegionFile] = [:]
    var mistakes: [RegionMistake] = []
    var unreadable: Set<String> = []
    for (index, region) in endpoint.regions.enumerated() where files[region.file] == nil {
      guard unreadable.isDisjoint(with: [region.file]) else { continue }
      do throws(Failure) {
        files[region.file] = try RegionFile.read(region.file, bindings.monitor)
      } catch {
        unreadable.insert(region.file)
        mistakes.append(RegionMistake(index, "file", error.description))
      }
    }
    let opener = ScheduleOpener(
      name: "player", regions: endpoint.regions, files: files,
      isEndless: endpoint.options.flag("endless") ?? false, channelCount: endpoint.channels,
      unreadable: mistakes)
    return .generator(
      opener.generator { file throws(Failure) in try FileSource.open(file) })
  }
}

extension OpenedSource {
  /// A file or an input with a start time and playback options in the chain.
  static func piece(
    of path: String, _ endpoint: SourceEndpoint, _ bindings: SourceBindings
  ) throws(Failure) -> OpenedSource {
    let regions = endpoint.regions
    let (raw, monitor) = (bindings.raw(of: endpoint), bindings.monitor)
    var opening: SilenceCutOpening?
    var whole: (any AudioSource)?
    if let cut = SilenceCut(endpoint.options) {
      let opened = try SilenceCutOpening.open(path, raw: raw, cut, monitor)
      guard !regions.isEmpty else { return .sound(opened.source) }
      (opening, whole) = (opened.opening, opened.source)
    }
    if HTTPAddress(path) != nil {
      throw Failure(
        .unreadable, path, "a stream cannot go back to be played in pieces; save it to a file first"
      )
    }
    if let opening, let whole, path != "-" {
      return piece(path, regions, try RegionFile(whole)) { _ throws(Failure) in
        try opening.again()
      }
    }
    guard path != "-" else {
      // Playback returns to the beginning, so a pipe is copied to a file first.
      let sound: any AudioSource
      if let whole {
        sound = whole
      } else {
        sound = try FileSource.open(path, raw: raw, monitor, isReadTwice: true)
      }
      let held = HeldSource(sound)
      return piece(
        "standard input", regions, try RegionFile(held.source)
      ) { _ throws(Failure) in
        try held.source.seek(toFrame: 0)
        return held.source
      }
    }
    return piece(path, regions, try RegionFile.read(path, raw: raw, monitor)) {
      _ throws(Failure) in
      try FileSource.open(path, raw: raw)
    }
  }

  /// The same, for a sound that replaces an input.
  static func piece(
    of endpoint: SourceEndpoint, _ source: any AudioSource,
    again: @escaping @Sendable (SourceEndpoint) -> (any AudioSource)?
  ) throws(Failure) -> OpenedSource {
    piece(source.name, endpoint.regions, try RegionFile(source)) { name throws(Failure) in
      guard let source = again(endpoint) else {
        throw Failure(.unreadable, name, "it cannot be read again")
      }
      return source
    }
  }

  /// The same, with its silence removed.
  static func cut(
    _ cut: SilenceCut, _ endpoint: SourceEndpoint, _ source: any AudioSource,
    again: @escaping @Sendable (SourceEndpoint) -> (any AudioSource)?
  ) throws(Failure) -> OpenedSource {
    let map = try SilenceMap(source, cut)
    try source.seek(toFrame: 0)
    let left = SilenceCutSource(source, map)
    guard !endpoint.regions.isEmpty else { return .sound(left) }
    return try piece(of: endpoint, left) { endpoint in
      again(endpoint).map { SilenceCutSource($0, map) }
    }
  }

  private static func piece(
    _ name: String, _ regions: [PlayerRegion], _ file: RegionFile, _ open: @escaping RegionOpener
  ) -> OpenedSource {
    let opener = ScheduleOpener(
      name: name, regions: regions,
      files: Dictionary(regions.map { ($0.file, file) }, uniquingKeysWith: { first, _ in first }))
    return .generator(opener.generator(open))
  }

  /// Used by one reader at a time.
  private final class HeldSource: @unchecked Sendable {
    let source: any AudioSource

    init(_ source: any AudioSource) { self.source = source }
  }
}

/// Regions, with the facts of their files.
private struct ScheduleOpener: Sendable {
  let name: String
  let regions: [PlayerRegion]
  let files: [String: RegionFile]
  var isEndless = false
  var channelCount: Int?
  /// Files that could not be read.
  var unreadable: [RegionMistake] = []

  private func schedule(_ sampleRate: Double) -> (Schedule?, [RegionMistake]) {
    var (schedule, mistakes) = ScheduleBuilder.schedule(
      regions, files, sampleRate: sampleRate, channelCount: channelCount)
    schedule?.isEndless = isEndless
    return (schedule, unreadable + mistakes)
  }

  func generator(_ open: @escaping RegionOpener) -> SourceGenerator {
    let own = regions.lazy.compactMap { files[$0.file]?.sampleRate }.first
    let (schedule, mistakes) = schedule(own ?? 48000)
    var generator = SourceGenerator(
      layout: schedule?.format.layout ?? .usual(channelCount ?? 2),
      duration: schedule?.frameCount.map { Double($0) / (own ?? 48000) }
    ) { conversion throws(Failure) in
      let (schedule, mistakes) = self.schedule(conversion.rate)
      guard let schedule, mistakes.isEmpty else {
        throw Failure(.outOfRange, name, mistakes.first?.message ?? "it cannot be played")
      }
      return PlayerSource(name, schedule, quality: conversion.quality, open)
    }
    generator.sampleRate = own
    generator.mistakes = mistakes
    return generator
  }
}
