import FxAudio
import FxChain
import FxEngine
import FxMedia
import FxPlaying

/// Renders a logged performance again, offline.
extension RenderJob {
  /// The parameter changes of the replayed log, for the nodes of a chain.
  func replayedChanges() throws(ChainFailure) -> [AppliedChange] {
    guard let log = request.replay else { return [] }
    var changes: [AppliedChange] = []
    for entry in log.entries {
      switch entry.change {
      case .set(let name, let value, let seconds):
        let parameter: BuiltChain.Parameter
        let number: Double
        do throws(ValueProblem) {
          parameter = try compiled.built.parameter(name)
          number = try compiled.built.value(value, for: parameter)
        } catch {
          throw ChainFailure(error, about: "\(log.path):\(entry.line): \(name)")
        }
        changes.append(
          AppliedChange(
            frame: entry.frame, node: parameter.node, parameter: parameter.slot, value: number,
            seconds: seconds))
      case .load(let path):
        throw .cannotReplay(
          log, entry,
          "'\(path)' took over there, which cannot be replayed; to replay what was played before, "
            + "remove this line and all behind it")
      case .rested:
        throw .cannotReplay(
          log, entry,
          "nothing was rendered from there on (--rest), so that the chain's own time stood still; "
            + "to replay what was played before, remove this line and all behind it")
      case .pause, .resume, .seek, .volume, .mute: break
      }
    }
    return changes
  }

  /// The logged changes of file positions and of the output level, by the frames of the
  /// performance.
  var replayedTransport: [AppliedTransportChange] {
    let start = startFrame
    return (request.replay?.entries ?? []).compactMap { entry in
      entry.change.transport.map {
        AppliedTransportChange(frame: entry.frame - start, change: $0)
      }
    }
  }

  /// The length of a replay: to the performance's end or for the request's duration, whichever is
  /// shorter. nil without a replay, or if neither is known.
  var replayedFrameCount: Int? {
    guard let log = request.replay else { return nil }
    let duration = request.duration.map { Int(min($0 * compiled.sampleRate, 1e15).rounded()) }
    let played = log.endFrame.map { max($0 - startFrame, 0) }
    return [duration, played].compactMap { $0 }.min()
  }

  /// Warns if the chain differs from the one that played.
  var replayWarnings: [String] {
    guard let log = request.replay, log.header.hash != LiveLog.hash(of: read.chain.bytes) else {
      return []
    }
    return [
      "\(read.chain.path) is not the file that played ('\(log.header.chain)', or it was edited since): "
        + "the same changes are made, but the sound may differ"
    ]
  }

  /// Opens the requested log and writes its header.
  func logWriter(_ opening: OutputOpening) throws(ChainFailure) -> LiveLogWriter? {
    guard let destination = request.live.log else { return nil }
    do throws(Failure) {
      try checkReadFiles(
        sources.paths(of: compiled.plan.sources.compactMap { compiled.endpoint(ofSource: $0) }),
        destination.path)
    } catch {
      throw ChainFailure(error, .output)
    }
    return try LiveLogWriter(
      destination.path, opening.wait(for: destination.path),
      LiveLog.Header(
        program: destination.program, chain: read.chain.path,
        hash: LiveLog.hash(of: read.chain.bytes), sampleRate: compiled.sampleRate,
        blockSize: compiled.blockSize, startFrame: startFrame))
  }
}

extension RenderRequest {
  /// Takes missing settings from the log, and refuses settings that contradict it.
  func adoptingReplay() throws(ChainFailure) -> RenderRequest {
    guard let header = replay?.header else { return self }
    var request = self
    if let blockSize, blockSize != header.blockSize {
      throw .otherReplay("in blocks of \(header.blockSize) frames, not of \(blockSize)")
    }
    request.blockSize = header.blockSize
    if start == 0 {
      request.start = Double(header.startFrame) / header.sampleRate
    } else if Int((start * header.sampleRate).rounded()) != header.startFrame {
      throw .otherReplay(
        "from \(shortNumber(Double(header.startFrame) / header.sampleRate)) s on, "
          + "not from \(shortNumber(start)) s")
    }
    return request
  }
}

extension LiveLog {
  /// The reason why the files would never end after the last entry; nil if they end.
  var endlessness: String? {
    var (isPaused, isLooped) = (false, false)
    for entry in entries {
      switch entry.change {
      case .pause: isPaused = true
      case .resume: isPaused = false
      case .seek(let place, let loop, _):
        isLooped = loop.map { place <= $0.to } ?? false
      case .set, .volume, .mute, .rested, .load: break
      }
    }
    return isPaused ? "it was paused" : isLooped ? "its files were looped" : nil
  }
}

extension LiveLog.Change {
  /// nil for a change that is not of the transport.
  fileprivate var transport: TransportChange? {
    switch self {
    case .pause: return .pause
    case .resume: return .resume
    case .volume(let amplitude, let frames):
      return .volume(amplitude: amplitude, frameCount: frames)
    case .mute(let isOn, let frames): return .mute(isOn, frameCount: frames)
    case .seek(let place, let loop, let isFaded):
      var jump = SourceJump(position: place, loop: loop)
      jump.isFaded = isFaded
      return .jump(jump)
    case .set, .rested, .load: return nil
    }
  }

  /// nil for a change that a replay does not need.
  init?(_ change: TransportChange) {
    switch change {
    case .pause: self = .pause
    case .resume: self = .resume
    case .jump(let jump):
      self = .seek(to: jump.position, loop: jump.loop, isFaded: jump.isFaded)
    case .volume(let amplitude, let frames): self = .volume(amplitude, frames: frames)
    case .mute(let isOn, let frames): self = .mute(isOn, frames: frames)
    case .rested: self = .rested
    case .rest, .woken: return nil
    }
  }
}

extension ChainFailure {
  fileprivate static func cannotReplay(
    _ log: LiveLog, _ entry: LiveLog.Entry, _ why: String
  ) -> ChainFailure {
    ChainFailure(
      .input, code: .cannotReplay, "\(log.path):\(entry.line): \(why)", path: log.path)
  }

  static let nothingToLog = ChainFailure(
    .request, code: .usage,
    "--log writes what is changed while a chain plays, and this renders into files")

  static let replayIsLive = ChainFailure(
    .request, code: .usage,
    "--replay renders what was played into a file: give one with -o, and the input as a file")

  fileprivate static func otherReplay(_ how: String) -> ChainFailure {
    ChainFailure(
      .request, code: .otherReplay, "the log was played \(how); leave the option out")
  }
}
