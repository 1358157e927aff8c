import FxAudio
import FxChain
import FxEngine
import FxMedia
import FxPlaying
import Synchronization

/// Queues and removes regions of players while the chain plays, and reports regions that begin and
/// end. On the control thread; each file is opened on its own thread.
final class PlayerControl {
  struct Player {
    let node: String
    let board: PlayerBoard
  }

  private struct Opening {
    let queued: QueuedRegion
    let player: Player
    let outcome: OpeningOutcome
    let thread: WorkerThread
    let answer: @Sendable (LiveControl.Outcome) -> Void
  }

  private final class OpeningOutcome: Sendable {
    let file = Mutex<Result<RegionFile, Failure>?>(nil)
  }

  /// A region that is to sound at once.
  private struct Beginning {
    let region: ScheduledRegion
    let player: Player
    let number: Int
    let answer: @Sendable (LiveControl.Outcome) -> Void
  }

  private let players: [Player]
  private let driver: LiveDriver
  private let wakeEvent: WakeEvent
  private let report: ((RegionEvent) -> Void)?
  private var openings: [Opening] = []
  private var beginnings: [Beginning] = []
  /// The players' frame at the last `follow`.
  private var position: Int
  private var madeUpCount = 0
  /// A larger step is a jump, which reports no beginnings or ends.
  private let jumpFrameCount: Int
  private static let openingLimit = 16

  init(
    _ players: [Player], _ driver: LiveDriver, wakeEvent: WakeEvent, startFrame: Int,
    report: ((RegionEvent) -> Void)?
  ) {
    self.players = players
    self.driver = driver
    self.wakeEvent = wakeEvent
    self.report = report
    // A region at the first frame counts as beginning there.
    position = startFrame - 1
    jumpFrameCount = Int(driver.transport.sampleRate * 5)
  }

  // MARK: Requests

  /// Opens the file; answered when the region is placed in the schedule.
  func play(
    _ queued: QueuedRegion, answer: @escaping @Sendable (LiveControl.Outcome) -> Void
  ) throws(ChainFailure) {
    let player = try player(queued.player)
    guard openings.count < Self.openingLimit else { throw .tooManyChanges }
    if case .seconds(let seconds) = queued.time, !(0...1e9).contains(seconds) {
      throw .outOfRange("a region begins at 0 s or later, not at \(shortNumber(seconds)) s")
    }
    guard (-200.0...120).contains(queued.gain) else {
      throw .outOfRange("a region is played at -200 to 120 dB, not \(shortNumber(queued.gain))")
    }
    let outcome = OpeningOutcome()
    var code: Int32 = 0
    let thread = WorkerThread(failure: &code) { [wakeEvent] in
      let result: Result<RegionFile, Failure>
      do throws(Failure) {
        result = .success(try RegionFile.read(queued.file))
      } catch {
        result = .failure(error)
      }
      outcome.file.withLock { $0 = result }
      wakeEvent.signal()
    }
    guard let thread else {
      throw ChainFailure(
        Failure(
          .threadUnavailable, queued.file,
          "no thread to open it: \(Failure.systemMessage(code))"), .input)
    }
    openings.append(
      Opening(queued: queued, player: player, outcome: outcome, thread: thread, answer: answer))
  }

  /// Ends all regions with a name.
  func remove(_ id: String, of name: String?) throws(ChainFailure) {
    let player = try player(name)
    guard player.board.remove(id) > 0 else {
      throw ChainFailure(
        .request, code: .unknownRegion,
        "'\(player.node)' has no region '\(id)' that plays or waits")
    }
  }

  /// The position and the regions of each player.
  var list: [LivePlayer] {
    let position = max(driver.transport.position, 0)
    return players.map { player in
      let regions = player.board.schedule.regions
      let sounding = regions.filter { $0.begin <= position && position < $0.end }.map {
        LivePlayer.Sounding(
          region: PlayedRegion($0, player),
          playedSeconds: Double(position - $0.begin) / player.board.format.sampleRate)
      }
      return LivePlayer(
        node: player.node, seconds: Double(position) / player.board.format.sampleRate,
        sounding: sounding,
        waiting: regions.count { $0.begin > position && $0.frameCount != 0 })
    }
  }

  // MARK: As often as the control thread comes by

  func poll() {
    let finished = openings.filter { $0.outcome.file.withLock { $0 != nil } }
    openings.removeAll { opening in finished.contains { $0.outcome === opening.outcome } }
    for opening in finished {
      do throws(ChainFailure) {
        if let placed = try placed(opening) { opening.answer(.success(.queued(placed))) }
      } catch {
        opening.answer(.failure(error))
      }
    }
    answerBeginnings()
    follow(to: driver.transport.position)
  }

  private func answerBeginnings() {
    beginnings.removeAll { beginning in
      guard let outcome = beginning.player.board.placement(of: beginning.number) else {
        return false
      }
      var region = beginning.region
      beginning.answer(
        outcome.map { placement in
          region.begin = placement.begin
          return .queued(
            PlacedRegion(region: PlayedRegion(region, beginning.player), lateSeconds: 0))
        }.mapError { ChainFailure($0, .input) })
      return true
    }
  }

  /// Reports the regions that ended up to the last frame, and refuses those whose files are still
  /// opening.
  func end(at frame: Int) {
    follow(to: frame)
    for answer in openings.map(\.answer) + beginnings.map(\.answer) {
      answer(.failure(.performanceIsOver))
    }
    (openings, beginnings) = ([], [])
  }

  /// nil for a region that is answered when it has begun.
  private func placed(_ opening: Opening) throws(ChainFailure) -> PlacedRegion? {
    let board = opening.player.board
    var region = PlayerRegion(file: opening.queued.file)
    region.gain = opening.queued.gain
    let found: (schedule: Schedule?, mistakes: [RegionMistake])
    do throws(Failure) {
      let file = try opening.outcome.file.withLock { $0 }?.get()
      found = ScheduleBuilder.schedule(
        [region], file.map { [region.file: $0] } ?? [:], sampleRate: board.format.sampleRate,
        channelCount: board.format.channelCount)
    } catch {
      throw ChainFailure(error, .input)
    }
    guard var scheduled = found.schedule?.regions.first else {
      throw ChainFailure(
        .request, code: .invalidRegion,
        "\(region.file): \(found.mistakes.first?.message ?? "it cannot be played")",
        path: region.file)
    }
    scheduled.id = opening.queued.id ?? madeUpName(in: board.schedule)
    if opening.queued.time == .now, let number = board.beginAtOnce(scheduled) {
      beginnings.append(
        Beginning(
          region: scheduled, player: opening.player, number: number, answer: opening.answer))
      return nil
    }
    let time: PlayerBoard.Time =
      switch opening.queued.time {
      case .last: .last
      case .now: .now
      case .seconds(let seconds): .frame(Int((seconds * board.format.sampleRate).rounded()))
      }
    guard let placement = board.add(scheduled, at: time) else {
      throw .noTransport(
        "'\(opening.player.node)' is over: \"endless\" lets a player wait for regions")
    }
    scheduled.begin = placement.begin
    return PlacedRegion(
      region: PlayedRegion(scheduled, opening.player),
      lateSeconds: Double(placement.lateness) / board.format.sampleRate)
  }

  private func madeUpName(in schedule: Schedule) -> String {
    while true {
      madeUpCount += 1
      let name = "queued\(madeUpCount)"
      if !schedule.regions.contains(where: { $0.id == name }) { return name }
    }
  }

  private func player(_ name: String?) throws(ChainFailure) -> Player {
    guard let first = players.first else {
      throw .noTransport("the chain has no player: a source with a schedule of regions")
    }
    let names = players.map { "'\($0.node)'" }.joined(separator: ", ")
    guard let name else {
      guard players.count == 1 else {
        throw ChainFailure(
          .request, code: .ambiguousNode, "the chain has several players: name one of \(names)")
      }
      return first
    }
    guard let player = players.first(where: { $0.node == name }) else {
      throw ChainFailure(
        .request, code: .unknownNode, "there is no player '\(name)'; there is \(names)")
    }
    return player
  }

  /// Reports the regions that began or ended since the last call.
  private func follow(to now: Int) {
    let last = position
    position = now
    guard now > last, now - last <= jumpFrameCount, let report else { return }
    for player in players {
      for region in player.board.schedule.regions where region.frameCount != 0 {
        let played = PlayedRegion(region, player)
        if region.begin > last, region.begin <= now {
          report(RegionEvent(kind: .began, region: played))
        }
        if region.end > last, region.end <= now {
          report(RegionEvent(kind: .ended, region: played))
        }
      }
    }
  }
}

/// The place of a queued region in the schedule.
public struct PlacedRegion: Sendable, Hashable {
  public var region: PlayedRegion
  /// The delay of its start after the requested time, in seconds.
  public var lateSeconds: Double
}

extension PlayedRegion {
  init(_ region: ScheduledRegion, _ player: PlayerControl.Player) {
    self.init(
      player: player.node, id: region.id, file: region.file, frame: region.begin,
      frames: region.frameCount, sampleRate: player.board.format.sampleRate)
  }
}
