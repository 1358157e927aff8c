import FxChain
import FxEngine
import FxGraph

/// Doing again, offline, what was done while a chain played.
extension RenderJob {
  /// The changes of the log that is to be replayed, for the nodes of a chain.
  func replayedChanges(in compiled: CompiledChain) throws(ChainFailure) -> [AppliedChange] {
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
      }
    }
    return changes
  }

  /// Says where the chain is another than the one that played.
  var replayWarnings: [String] {
    guard let log = request.replay, log.header.hash != LiveLog.hash(of: chain.bytes) else {
      return []
    }
    return [
      "\(chain.path) is not the file that played ('\(log.header.chain)', or it was edited since): "
        + "the same changes are made, the sound may be another"
    ]
  }

  /// Opens the log that is asked for, with what plays at its top.
  func logWriter(for live: CompiledChain) throws(ChainFailure) -> LiveLogWriter? {
    guard let destination = request.live.log else { return nil }
    return try LiveLogWriter(
      destination.path,
      LiveLog.Header(
        program: destination.program, chain: chain.path, hash: LiveLog.hash(of: chain.bytes),
        sampleRate: live.sampleRate, blockSize: live.blockSize, startFrame: startFrame(live)))
  }
}

extension RenderRequest {
  /// Takes over from a log what the request does not say, and refuses what would not be the same.
  func adoptingReplay() throws(ChainFailure) -> RenderRequest {
    guard let header = replay?.header else { return self }
    var request = self
    if let blockSize, blockSize != header.blockSize {
      throw .otherReplay("blocks of \(header.blockSize) frames, not of \(blockSize)")
    }
    request.blockSize = header.blockSize
    if start == 0 {
      request.start = Double(header.startFrame) / header.sampleRate
    } else if Int((start * header.sampleRate).rounded()) != header.startFrame {
      throw .otherReplay(
        "from \(Double(header.startFrame) / header.sampleRate) s on, not from \(start) s")
    }
    return request
  }
}

extension CompiledChain.Settings {
  /// The rate that was played at, and dry signals wherever one could be asked for.
  mutating func followReplay(of request: RenderRequest) {
    guard let header = request.replay?.header else { return }
    environment.sampleRate = header.sampleRate
    environment.keepsDry = true
  }
}

extension ChainFailure {
  static let nothingToLog = ChainFailure(
    .request, code: "usage",
    "--log writes what is changed while a chain plays, and this renders into files")

  static let replayIsLive = ChainFailure(
    .request, code: "usage",
    "--replay renders what was played into a file: give one with -o, and the input as a file")

  fileprivate static func otherReplay(_ what: String) -> ChainFailure {
    ChainFailure(
      .request, code: "other-replay",
      "what is to be replayed was played in \(what); leave the option out")
  }
}
