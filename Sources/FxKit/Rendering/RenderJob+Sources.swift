import FxAudio
import FxChain
import FxEngine
import FxMedia
import FxPlaying

/// Opens the readers of the chain's sources, each with a feed.
extension RenderJob {
  /// The feeds of all sources, from the request's start, at the chain's rate; nil for recorded
  /// sources.
  func feeds() throws(ChainFailure) -> [SourceFeed?] {
    let main = mainSource
    var sources: [(any AudioSource)?] = []
    var refills: [Int] = []
    for (index, source) in compiled.plan.sources.enumerated() {
      guard let endpoint = compiled.endpoint(ofSource: source), !request.records(endpoint) else {
        sources.append(nil)
        refills.append(0)
        continue
      }
      refills.append(refillFrameCount(endpoint))
      let reader = try self.sources.take(endpoint, compiled.conversion)
      do throws(Failure) {
        sources.append(
          try opened(reader, width: source.buffers.count, isMain: index == main))
      } catch {
        throw ChainFailure(error, .input)
      }
    }
    let loop = try loop(of: main.flatMap { sources[$0] })
    let moves = replayedTransport.filter(\.change.movesSources)
    let limit = replayedFrameCount
    // Sources in memory may be of any length, even empty.
    let mustHaveSound = request.memory == nil && request.sampleInputs.isEmpty
    var feeds: [SourceFeed?] = []
    do throws(Failure) {
      for (source, refill) in zip(sources, refills) {
        guard let source else {
          feeds.append(nil)
          continue
        }
        // A source that cannot seek begins at its current position.
        let start = source.isSeekable ? startFrame : 0
        if !moves.isEmpty {
          let looped = try LoopedSource(source, loop: loop)
          try looped.go(to: start, loop)
          let replayed = ReplayedSource(looped, changes: moves)
          feeds.append(
            try SourceFeed(
              limit == nil ? replayed : try RangedSource(replayed, start: 0, duration: limit),
              blockFrameCount: compiled.renderSize, mustHaveSound: mustHaveSound))
          continue
        }
        var reader = isLive || loop != nil ? try LoopedSource(source, loop: loop) : source
        if let limit, !source.isSilence {
          reader = try RangedSource(reader, start: 0, duration: start + limit)
        }
        feeds.append(
          try SourceFeed(
            reader, startFrame: start,
            capacity: isLive
              ? nil
              : FeedMemory.capacity(
                channelCount: reader.format.channelCount, sourceCount: sources.count),
            blockFrameCount: compiled.renderSize,
            mustHaveSound: mustHaveSound, canJump: isLive, refillFrameCount: refill,
            readsAhead: isReadAhead(reader)))
      }
    } catch {
      throw ChainFailure(error, .input)
    }
    return feeds
  }

  /// True if a source is read on its own thread.
  private func isReadAhead(_ source: any AudioSource) -> Bool {
    let isFile = source.isSeekable && !source.isStreamed
    return isLive || !isFile || request.measuresNodes || compiled.plan.sources.count > 1
      || !compiled.settings.isLight(compiled.resolved)
  }

  /// The requested loop in the chain's frames, limited to the end of the main source.
  func loop(of source: (any AudioSource)?) throws(ChainFailure) -> SourceLoop? {
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
    guard startFrame < part.to else {
      throw .outOfRange("--start lies behind the end of the loop")
    }
    return part
  }

  /// The source from the file's first frame to the request's end, at the chain's rate.
  private func opened(
    _ reader: (any AudioSource)?, width: Int, isMain: Bool
  ) throws(Failure) -> any AudioSource {
    let silence = NullSource(
      format: StreamFormat(sampleRate: compiled.sampleRate, channelCount: width))
    guard let found = reader, !found.isSilence else { return silence }
    // On two processors, a heavy chain leaves none for a second decoder thread.
    let isHelped =
      compiled.settings.threads > (compiled.settings.isLight(compiled.resolved) ? 1 : 2)
    let source = !isLive && isHelped ? AheadSource.wrapping(found) : found
    let rate = source.format.sampleRate
    let start = Int((request.start * rate).rounded())
    if start > 0, let count = source.frameCount, start >= count {
      // A source other than the main one may end before the start.
      guard isMain else { return silence }
      throw Failure(
        .outOfRange, source.name,
        "is \(seconds(count, rate)) s long; --start \(shortNumber(request.start)) leaves nothing")
    }
    if isMain, let duration = request.duration, Int((duration * rate).rounded()) == 0 {
      throw Failure(
        .outOfRange, source.name, "--duration \(shortNumber(duration)) is less than a frame")
    }
    // Loops and replays may jump to any position in the files.
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
      duration: startFrame + Int((duration * compiled.sampleRate).rounded()))
  }

  func seconds(_ frames: Int, _ rate: Double) -> Double {
    (Double(frames) / rate * 100).rounded() / 100
  }
}

extension CompiledChain {
  /// The conversion for sounds with another sample rate.
  var conversion: RateConversion { RateConversion(to: sampleRate, built.resampling) }

  fileprivate func resampled(_ source: any AudioSource) throws(Failure) -> any AudioSource {
    try ResampledSource(source, to: sampleRate, quality: built.resampling)
  }
}
