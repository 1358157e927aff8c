import FxAudio
import FxChain
import FxEngine
import FxPlaying

/// The length of the sound and its tail.
extension RenderJob {
  /// The length of the render and its tail.
  func options() throws(ChainFailure) -> RenderOptions {
    let length: RenderOptions.Length
    if let limit = replayedFrameCount {
      // The source may end earlier.
      length = mainSource.map { .source($0) } ?? .frames(limit)
    } else if let log = request.replay, let why = log.endlessness, mainSource != nil {
      throw ChainFailure(
        .request, code: .noLength,
        "\(log.path) does not say where the performance ended, and \(why): give --duration")
    } else if request.loop != nil, mainSource != nil, request.duration == nil {
      guard isLive else {
        throw ChainFailure(
          .request, code: .noLength, "a loop has no end: give --duration with --loop")
      }
      length = .endless
    } else if request.loop != nil, let duration = request.duration {
      length = .frames(Int((duration * compiled.sampleRate).rounded()))
    } else if let main = mainSource {
      length = .source(main)
    } else if let duration = request.duration {
      length = .frames(Int((duration * compiled.sampleRate).rounded()))
    } else if isLive, devices.capture != nil || compiled.liveNode != nil {
      length = .endless
    } else if let end = compiled.scheduleEnd {
      // Includes the frame of the last event.
      let frames = ((end - request.start) * compiled.sampleRate).rounded(.up)
      guard frames > 0 || request.start > 0 else {
        throw ChainFailure(
          .request, code: .noLength,
          "all of the chain's MIDI and automation is at 0 s, so the length of the render is not "
            + "known; give --duration")
      }
      guard frames > 0 else {
        throw ChainFailure(
          .request, code: .outOfRange,
          "what the chain plays is over after \(seconds(Int(end * 100), 100)) s; "
            + "--start \(shortNumber(request.start)) leaves nothing")
      }
      length = .frames(Int(min(frames, 1e15)))
    } else if isLive {
      length = .endless
    } else {
      throw ChainFailure(
        .request, code: .noLength,
        "the length of the render is not known: the chain reads no file and plays no MIDI; give --duration"
      )
    }
    var options = RenderOptions(length: length, tail: tail.tail)
    options.isWholeWhenStopped =
      mainSource.flatMap { compiled.endpoint(ofSource: compiled.plan.sources[$0]) }
      .flatMap { sources.extent(of: $0) }?.isUnending ?? false
    options.processors = request.live.processors
    options.hasWholeBlocks = compiled.resolved.graph.nodes.contains { node in
      if case .unit(let unit) = node.content, case .lv2 = unit.kind { true } else { false }
    }
    return options
  }

  /// A warning that the sound was shorter than the requested duration; nil if it was not.
  func shortfall(of report: RenderSummary) -> String? {
    guard let duration = request.duration, request.loop == nil, request.replay == nil,
      !report.wasStopped,
      mainSource != nil
    else { return nil }
    let rendered = report.mainFrames
    // A conversion of rates may round.
    guard Double(rendered) + 2 < duration * compiled.sampleRate else { return nil }
    return "--duration \(shortNumber(duration)) is beyond the end of the sound: "
      + "it is over after \(shortNumber(seconds(rendered, compiled.sampleRate))) s"
  }

  /// The source that sets the length: a bound main input, otherwise the longest file, otherwise a
  /// stream, otherwise the longest generated signal with an end. The order of nodes does not
  /// matter.
  var mainSource: Int? {
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

  /// The tail and the rule that selected it.
  var tail: (tail: RenderOptions.Tail, policy: String) {
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
}
