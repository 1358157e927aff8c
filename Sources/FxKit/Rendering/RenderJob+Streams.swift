import FxAudio
import FxChain
import FxFrames
import FxGraph
import FxMedia
import FxPlaying
import FxUnits

extension RenderJob {
  /// Reads every source ahead, from the request's start, at the chain's rate; nil for what is
  /// recorded.
  func feeds(for compiled: CompiledChain) throws(ChainFailure) -> [SourceFeed?] {
    let main = mainSource(of: compiled)
    var sources: [(any AudioSource)?] = []
    var refills: [Int] = []
    for (index, source) in compiled.plan.sources.enumerated() {
      guard let endpoint = compiled.endpoint(ofSource: source), !request.records(endpoint) else {
        sources.append(nil)
        refills.append(0)
        continue
      }
      refills.append(refillFrameCount(endpoint, compiled))
      let reader = try self.sources.take(endpoint, compiled.conversion)
      do throws(IOError) {
        sources.append(
          try opened(reader, width: source.buffers.count, isMain: index == main, compiled))
      } catch {
        throw ChainFailure(error, .input)
      }
    }
    let loop = try loop(of: main.flatMap { sources[$0] }, compiled)
    let moves = replayedTransport(compiled).filter(\.change.movesSources)
    let limit = replayedFrameCount(compiled)
    // What a test makes in memory may be of any length.
    let mustHaveSound = request.memory == nil && request.sampleInputs.isEmpty
    var feeds: [SourceFeed?] = []
    do throws(IOError) {
      for (source, refill) in zip(sources, refills) {
        guard let source else {
          feeds.append(nil)
          continue
        }
        // What cannot go back begins where it is.
        let start = source.isSeekable ? startFrame(compiled) : 0
        if !moves.isEmpty {
          let looped = try LoopedSource(source, loop: loop)
          try looped.go(to: start, loop)
          let replayed = ReplayedSource(looped, changes: moves)
          feeds.append(
            try SourceFeed(
              limit == nil ? replayed : try RangedSource(replayed, start: 0, duration: limit),
              blockFrameCount: compiled.blockSize, mustHaveSound: mustHaveSound))
          continue
        }
        var reader = isLive || loop != nil ? try LoopedSource(source, loop: loop) : source
        if let limit, !source.isSilence {
          reader = try RangedSource(reader, start: 0, duration: start + limit)
        }
        feeds.append(
          try SourceFeed(
            reader, startFrame: start, blockFrameCount: compiled.blockSize,
            mustHaveSound: mustHaveSound, canJump: isLive, refillFrameCount: refill))
      }
    } catch {
      throw ChainFailure(error, .input)
    }
    return feeds
  }

  /// The part that is played over and over, in the chain's frames; no further than to the end of the
  /// main source.
  func loop(
    of source: (any AudioSource)?, _ compiled: CompiledChain
  ) throws(ChainFailure) -> SourceLoop? {
    guard let loop = request.loop else { return nil }
    guard let source else {
      throw .noTransport("the chain reads no file: there is nothing to play over and over")
    }
    guard source.isSeekable else {
      throw .noTransport(
        "\(source.name) is a stream and cannot go back: give the loop a file")
    }
    var to = source.frameCount ?? Int.max
    if let end = loop.to { to = min(to, try end.frame(sampleRate: compiled.sampleRate)) }
    let part = try SourceLoop(
      checkedFrom: try loop.from.frame(sampleRate: compiled.sampleRate), to: to,
      crossfade: loop.crossfade, compiled.sampleRate)
    guard startFrame(compiled) < part.to else {
      throw .outOfRange("--start lies behind the end of the loop")
    }
    return part
  }

  /// From the file's first frame, at the chain's rate, to the request's end.
  private func opened(
    _ reader: (any AudioSource)?, width: Int, isMain: Bool, _ compiled: CompiledChain
  ) throws(IOError) -> any AudioSource {
    let silence = NullSource(
      format: StreamFormat(sampleRate: compiled.sampleRate, channelCount: width))
    guard let source = reader, !source.isSilence else { return silence }
    let rate = source.format.sampleRate
    let start = Int((request.start * rate).rounded())
    if start > 0, let count = source.frameCount, start >= count {
      // Beside the main one a source may be over by then.
      guard isMain else { return silence }
      throw IOError(
        .outOfRange, source.name,
        "is \(seconds(count, rate)) s long; --start \(request.start) leaves nothing")
    }
    // What is played again may go anywhere in its files.
    let duration = request.loop == nil && request.replay == nil ? request.duration : nil
    guard source.isSeekable else {
      var ranged = source
      if start > 0 || duration != nil {
        ranged = try RangedSource(
          source, start: start, duration: duration.map { Int(($0 * rate).rounded()) })
      }
      guard rate != compiled.sampleRate else { return ranged }
      return try compiled.resampled(ranged)
    }
    let resampled = rate == compiled.sampleRate ? source : try compiled.resampled(source)
    guard let duration else { return resampled }
    return try RangedSource(
      resampled, start: 0,
      duration: startFrame(compiled) + Int((duration * compiled.sampleRate).rounded()))
  }

  private func seconds(_ frames: Int, _ rate: Double) -> Double {
    (Double(frames) / rate * 100).rounded() / 100
  }

  /// Where the length comes from and what follows it.
  func options(for compiled: CompiledChain) throws(ChainFailure) -> RenderOptions {
    let length: RenderOptions.Length
    if let limit = replayedFrameCount(compiled) {
      // A source may end before.
      length = mainSource(of: compiled).map { .source($0) } ?? .frames(limit)
    } else if let log = request.replay, let why = log.endlessness, mainSource(of: compiled) != nil {
      throw ChainFailure(
        .request, code: "no-length",
        "\(log.path) does not say where the performance ended, and \(why): give --duration")
    } else if request.loop != nil, mainSource(of: compiled) != nil, request.duration == nil {
      guard isLive else {
        throw ChainFailure(
          .request, code: "no-length", "a loop has no end: give --duration with --loop")
      }
      length = .endless
    } else if request.loop != nil, let duration = request.duration {
      length = .frames(Int((duration * compiled.sampleRate).rounded()))
    } else if let main = mainSource(of: compiled) {
      length = .source(main)
    } else if let duration = request.duration {
      length = .frames(Int((duration * compiled.sampleRate).rounded()))
    } else if isLive, devices.capture != nil || !compiled.inboxes.isEmpty {
      length = .endless
    } else if let end = compiled.scheduleEnd {
      // Beyond the last frame that anything happens at.
      let frames = ((end - request.start) * compiled.sampleRate).rounded(.up)
      guard frames > 0 || request.start > 0 else {
        throw ChainFailure(
          .request, code: "no-length",
          "everything that the chain's MIDI and automation do is at 0 s, which says nothing of how "
            + "long to render; give --duration")
      }
      guard frames > 0 else {
        throw ChainFailure(
          .request, code: "out-of-range",
          "what the chain plays is over after \(seconds(Int(end * 100), 100)) s; "
            + "--start \(request.start) leaves nothing")
      }
      length = .frames(Int(min(frames, 1e15)))
    } else if isLive {
      length = .endless
    } else {
      throw ChainFailure(
        .request, code: "no-length",
        "nothing says how long to render: the chain reads no file and plays no MIDI; give --duration"
      )
    }
    var options = RenderOptions(length: length, tail: tail(of: compiled).tail)
    options.isWholeWhenStopped =
      mainSource(of: compiled).flatMap { compiled.endpoint(ofSource: compiled.plan.sources[$0]) }
      .flatMap { sources.extent(of: $0) }?.isUnending ?? false
    options.processors = request.live.processors
    return options
  }

  /// The source that says how long the sound is: a bound main input, otherwise the longest file,
  /// otherwise a stream, otherwise the longest signal that has an end. The order of the nodes in the
  /// file does not matter.
  func mainSource(of compiled: CompiledChain) -> Int? {
    let nodes = compiled.resolved.graph.nodes
    var best: (weight: Int, duration: Double, id: String, index: Int)?
    for (index, source) in compiled.plan.sources.enumerated() {
      guard let endpoint = compiled.endpoint(ofSource: source), !request.records(endpoint),
        let facts = sources.extent(of: endpoint), facts.ending != .endless
      else { continue }
      if endpoint.inputName == "main" { return index }
      let isFinite = facts.ending == .finite
      let weight = endpoint.nature == .generated ? 0 : isFinite ? 2 : 1
      let duration = isFinite ? facts.duration ?? 0 : 0
      let id = nodes[source.node].id
      if let best {
        guard weight >= best.weight else { continue }
        if weight == best.weight {
          guard duration > best.duration || duration == best.duration && id < best.id else {
            continue
          }
        }
      }
      best = (weight, duration, id, index)
    }
    return best?.index
  }

  /// The file that the main source reads; nil where it reads none.
  private func mainPath(of compiled: CompiledChain) -> String? {
    mainSource(of: compiled)
      .flatMap { compiled.endpoint(ofSource: compiled.plan.sources[$0]) }
      .flatMap { sources.paths(of: [$0]).first }
  }

  /// The tail and how it was chosen.
  func tail(of compiled: CompiledChain) -> (tail: RenderOptions.Tail, policy: String) {
    if let seconds = request.tail {
      return (.frames(Int((seconds * compiled.sampleRate).rounded())), "given")
    }
    switch compiled.built.tail {
    case .none: return (.frames(0), "none")
    case .seconds(let seconds):
      return (.frames(Int((seconds * compiled.sampleRate).rounded())), "given")
    case .auto:
      let tail = compiled.tail
      guard tail.isOpenEnded else { return (.declared(tail.declaredFrames), "declared") }
      let silence = RenderOptions.Tail.untilSilent(
        threshold: Silence.level, hold: compiled.silence,
        maximum: compiled.longestTail)
      return (silence, "silence")
    }
  }

  /// Opens the sinks; nil stands for a device. What was opened is taken back when one fails.
  ///
  /// - Parameters:
  ///   - devices: the sinks that devices play.
  ///   - found: what a pass before the render has measured.
  ///   - blockFrameCount: frames that may come before a sink is waited for.
  func sinks(
    for compiled: CompiledChain, _ found: Measurements = [:], devices: [Int] = [],
    blockFrameCount: Int,
    opening: OutputOpening
  ) throws(ChainFailure) -> [SinkFeed?] {
    let inputs = sources.paths(
      of: compiled.plan.sources.compactMap { compiled.endpoint(ofSource: $0) })
    let tags = OutputTags(request, input: mainPath(of: compiled), inputs)
    var feeds: [SinkFeed?] = []
    do throws(IOError) {
      try checkTargets(of: compiled, devices: devices)
      for (index, sink) in compiled.plan.sinks.enumerated() {
        let format = StreamFormat(
          sampleRate: compiled.sampleRate, layout: sink.layout ?? .usual(sink.buffers.count))
        feeds.append(
          devices.contains(index)
            ? nil
            : try SinkFeed(
              recorded(
                levelled(
                  normalized(
                    try self.shaped(index, compiled, format, tags, opening), index, compiled, found),
                  index, compiled), index, compiled),
              blockFrameCount: blockFrameCount, isLive: isLive))
      }
    } catch {
      for feed in feeds { _ = try? feed?.abandon(keepingPartial: false) }
      throw ChainFailure(error, .output)
    }
    return feeds
  }

  /// An output whose highest peak is brought to a level.
  private func normalized(
    _ sink: any AudioSink, _ index: Int, _ compiled: CompiledChain, _ found: Measurements
  ) -> any AudioSink {
    let factor = normalization(ofSink: index, compiled, found)
    return factor == 1
      ? sink : LevelledSink(sink, amplitude: Float(factor), changes: [], latency: 0)
  }

  /// What a sink is multiplied by, once its peak has been measured.
  func normalization(
    ofSink index: Int, _ compiled: CompiledChain, _ found: Measurements
  ) -> Double {
    let port = compiled.plan.sinks[index]
    guard let peak = found[port.node],
      let level = compiled.endpoint(ofSink: port).flatMap({
        request.encoding(of: $0).normalizedPeak
      })
    else { return 1 }
    return PeakAnalyzer.factor(for: peak, decibels: level)
  }

  /// The main output of a replay, at the level at which it was heard.
  func levelled(
    _ sink: any AudioSink, _ index: Int, _ compiled: CompiledChain
  ) -> any AudioSink {
    let levels = replayedTransport(compiled).filter(\.change.changesLevel)
    guard !levels.isEmpty else { return sink }
    guard let endpoint = compiled.endpoint(ofSink: compiled.plan.sinks[index]),
      endpoint.nature == .device || endpoint.outputName == "main"
    else { return sink }
    return LevelledSink(sink, changes: levels, latency: compiled.plan.sinks[index].latency)
  }

  /// Refuses two outputs in one file or on standard output.
  private func checkTargets(of compiled: CompiledChain, devices: [Int]) throws(IOError) {
    var targets: Set<String> = []
    for index in compiled.plan.sinks.indices where !devices.contains(index) && request.memory == nil
    {
      guard let path = target(index, compiled) else { continue }
      guard path != "-" else {
        guard targets.insert(path).inserted else {
          throw IOError(
            .sameAsOutput, "standard output",
            "is written by another output as well; give all but one of them a file")
        }
        continue
      }
      guard let spelling = targetSpelling(path) else { continue }
      guard targets.insert(spelling).inserted else {
        throw IOError(
          .sameAsOutput, path, "is written by another output as well; give each a file of its own")
      }
    }
  }

  /// True when an output of the chain is standard output.
  package var writesStandardOutput: Bool {
    compiled.plan.sinks.indices.contains { target($0, compiled) == "-" }
  }

  /// The file that a sink is written to, `-` for standard output; nil when it is none.
  private func target(_ index: Int, _ compiled: CompiledChain) -> String? {
    guard let endpoint = compiled.endpoint(ofSink: compiled.plan.sinks[index]) else { return nil }
    switch endpoint.nature {
    case .bound: return request.outputs[endpoint.target]
    case .file: return endpoint.target
    // `-o` in place of the device.
    case .device: return request.outputs["main"]
    case .stream: return "-"
    case .discarded: return nil
    }
  }

  func sink(
    _ index: Int, _ compiled: CompiledChain, _ format: StreamFormat, _ tags: OutputTags,
    _ opening: OutputOpening
  ) throws(IOError) -> any AudioSink {
    let endpoint = compiled.endpoint(ofSink: compiled.plan.sinks[index])
    if let memory = request.memory { return memory.sink(for: endpoint, format) }
    if let name = endpoint?.outputName, let output = request.sampleOutputs[name] {
      return try SampleSink(name, format, output)
    }
    guard let endpoint, let path = target(index, compiled) else { return NullSink(format: format) }
    let encoding = request.encoding(of: endpoint)
    guard let rule = encoding.split else {
      return try file(path, encoding, format, tags, opening)
    }
    return try divided(index, path, rule, encoding, format, tags, opening)
  }

  private func file(
    _ path: String, _ encoding: FileEncoding, _ format: StreamFormat, _ tags: OutputTags,
    _ opening: OutputOpening
  ) throws(IOError) -> any AudioSink {
    if path == "-" { return try FileSink.standardOutput(format: format, encoding: encoding) }
    try checkInputs(tags, path)
    if request.keepsPartials { opening.recover(path) } else { FileSink.removeStale(path) }
    let file = try FileSink.create(
      path, format: format, encoding: encoding, tags: tags.tags(of: path, encoding),
      isRecording: isLive, wait: opening.wait(for: path))
    if encoding.tagsLoudness { file.gauge = SoundLoudness(format) }
    return file
  }
}

extension CompiledChain {
  /// What sounds of another rate are brought to.
  var conversion: RateConversion { RateConversion(to: sampleRate, built.resampling) }

  fileprivate func resampled(_ source: any AudioSource) throws(IOError) -> any AudioSource {
    try ResampledSource(source, to: sampleRate, quality: built.resampling)
  }
}
