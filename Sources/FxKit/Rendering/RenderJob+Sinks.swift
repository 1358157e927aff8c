import FxAudio
import FxChain
import FxEngine
import FxMedia
import FxPlaying
import FxUnits

/// Opens the writers of the chain's sinks, each with a feed.
extension RenderJob {
  /// Opens the sinks; nil stands for a device. If one fails, the others are abandoned.
  ///
  /// - Parameters:
  ///   - devices: the sinks that devices play.
  ///   - found: the results of the measuring pass.
  ///   - blockFrameCount: the frames that a feed takes at once without waiting.
  ///   - writesSoon: whether samples are written without delay, because someone may listen to them.
  func sinks(
    _ found: Measurements = [:], devices: [Int] = [], blockFrameCount: Int,
    writesSoon: Bool = false, opening: OutputOpening
  ) throws(ChainFailure) -> [SinkFeed?] {
    let inputs =
      sources.paths(of: compiled.plan.sources.compactMap { compiled.endpoint(ofSource: $0) })
      .flatMap { [$0] + FileSource.paths(in: $0) } + [request.chapterFile].compactMap { $0 }
    let main = mainSource.flatMap {
      compiled.endpoint(ofSource: compiled.plan.sources[$0])
    }
    let tags = OutputTags(
      request, input: main.flatMap { sources.paths(of: [$0]).first },
      isRaw: main.flatMap { sources.raw(of: $0) } != nil, inputs,
      ChapterTimes(main, request, sampleRate: compiled.sampleRate))
    do throws(Failure) {
      try tags.readCover(read.limits)
      try tags.readChapters(read.limits)
    } catch {
      throw ChainFailure(error, .input)
    }
    var feeds: [SinkFeed?] = []
    do throws(Failure) {
      try checkTargets(devices)
      for (index, sink) in compiled.plan.sinks.enumerated() {
        let format = StreamFormat(
          sampleRate: compiled.sampleRate, layout: sink.layout ?? .usual(sink.buffers.count))
        guard !devices.contains(index) else {
          feeds.append(nil)
          continue
        }
        let shaped = try shaped(index, format, tags, opening)
        let sink = recorded(levelled(normalized(shaped, index, found), index), index)
        feeds.append(
          try SinkFeed(
            sink, blockFrameCount: blockFrameCount, isLive: isLive, writesSoon: writesSoon,
            writesBehind: isLive || writesSoon || request.measuresNodes || !sink.isQuick))
      }
      try openChapters(tags, opening)
    } catch {
      for feed in feeds { _ = try? feed?.abandon(keepingPartial: false) }
      throw ChainFailure(error, .output)
    }
    opening.warnings += tags.warnings
    return feeds
  }

  /// Wraps an output that is normalized to a peak level.
  private func normalized(
    _ sink: any AudioSink, _ index: Int, _ found: Measurements
  ) -> any AudioSink {
    let factor = normalization(ofSink: index, found)
    return factor == 1
      ? sink : LevelledSink(sink, amplitude: Float(factor), changes: [], latency: 0)
  }

  /// The normalization factor of a sink; 1 if its peak was not measured.
  func normalization(ofSink index: Int, _ found: Measurements) -> Double {
    let port = compiled.plan.sinks[index]
    guard let peak = found[port.node],
      let level = compiled.endpoint(ofSink: port).flatMap({
        request.encoding(of: $0).normalizedPeak
      })
    else { return 1 }
    return PeakAnalyzer.factor(for: peak, decibels: level)
  }

  /// Wraps the main output of a replay with the logged level changes.
  func levelled(_ sink: any AudioSink, _ index: Int) -> any AudioSink {
    let levels = replayedTransport.filter(\.change.changesLevel)
    guard !levels.isEmpty else { return sink }
    guard let endpoint = compiled.endpoint(ofSink: compiled.plan.sinks[index]),
      endpoint.nature == .device || endpoint.outputName == "main"
    else { return sink }
    return LevelledSink(sink, changes: levels, latency: compiled.plan.sinks[index].latency)
  }

  /// Refuses two outputs to the same file or to standard output.
  private func checkTargets(_ devices: [Int]) throws(Failure) {
    var targets: Set<PathKey> = []
    for index in compiled.plan.sinks.indices where !devices.contains(index) && request.memory == nil
    {
      guard let path = target(index) else { continue }
      guard path != "-" else {
        guard targets.insert(PathKey(path)).inserted else {
          throw Failure(
            .sameAsOutput, "standard output",
            "is written by another output as well; give all but one of them a file")
        }
        continue
      }
      guard let spelling = targetSpelling(path) else { continue }
      guard targets.insert(PathKey(spelling)).inserted else {
        throw Failure(
          .sameAsOutput, path, "is written by another output as well; give each a file of its own")
      }
    }
  }

  /// True if an output of the chain is standard output.
  package var writesStandardOutput: Bool {
    compiled.plan.sinks.indices.contains { target($0) == "-" }
  }

  /// The file that a sink is written to, `-` for standard output; nil if there is none.
  func target(_ index: Int) -> String? {
    guard let endpoint = compiled.endpoint(ofSink: compiled.plan.sinks[index]) else { return nil }
    switch endpoint.nature {
    case .bound: return request.outputs[endpoint.target]
    case .file: return endpoint.target
    // `-o` replaces the device.
    case .device: return request.outputs["main"]
    case .stream: return "-"
    case .discarded: return nil
    }
  }

  func sink(
    _ index: Int, _ format: StreamFormat, _ tags: OutputTags, _ opening: OutputOpening
  ) throws(Failure) -> any AudioSink {
    let endpoint = compiled.endpoint(ofSink: compiled.plan.sinks[index])
    if let memory = request.memory { return memory.sink(for: endpoint, format) }
    if let name = endpoint?.outputName, let output = request.sampleOutputs[name] {
      return try SampleSink(name, format, output)
    }
    guard let endpoint, let path = target(index) else { return NullSink(format: format) }
    let encoding = request.encoding(of: endpoint)
    if path != "-" { try FileSink.check(path, encoding) }
    guard let rule = encoding.split else {
      return try file(path, encoding, format, tags, opening)
    }
    return try divided(index, path, rule, encoding, format, tags, opening)
  }

  private func file(
    _ path: String, _ encoding: FileEncoding, _ format: StreamFormat, _ tags: OutputTags,
    _ opening: OutputOpening
  ) throws(Failure) -> any AudioSink {
    guard path != "-" else {
      let output = try FileSink.standardOutput(format: format, encoding: encoding)
      measureLoudness(of: output, encoding)
      return output
    }
    try checkReadFiles(tags.inputs, path)
    if request.keepsPartials { opening.recover(path) } else { FileSink.removeStale(path) }
    let file = try FileSink.create(
      path, format: format, encoding: encoding, tags: tags.tags(of: path, encoding),
      isRecording: isLive, wait: opening.wait(for: path))
    file.isOnlyMeasured = request.isOnlyMeasured
    measureLoudness(of: file, encoding)
    return file
  }

  /// Measures the loudness of a file if the tags have it, or if the request sets it.
  func measureLoudness(of file: FileSink, _ encoding: FileEncoding) {
    file.album = request.album?.level
    let isTagged = encoding.tagsLoudness || request.album != nil
    guard isTagged || request.loudness != nil || request.isOnlyMeasured else { return }
    file.measureLoudness(isTagged: isTagged) { SoundLoudness($0) }
  }
}
