import FxDevices
import FxEngine
import FxFrames
import Glibc

/// The devices beside the one that sets the pace.
///
/// The render thread pushes to those that play; the rest is for the thread that starts and ends them.
struct Following: @unchecked Sendable {
  // Sendable: pointers that never change, and devices that are made for several threads.
  let devices: [FollowingDevice]
  /// The sinks that they play, in the order of the outputs.
  let sinks: [Int]
  private let players: UnsafeMutablePointer<Player>
  private let playerCount: Int

  private struct Player {
    let device: Unmanaged<FollowingDevice>
    let width: Int
  }

  init(
    _ destinations: [LiveDriver.Destination],
    _ recorders: [(device: FollowingDevice, sources: [Int])], _ program: RenderProgram
  ) {
    let widths = program.sinkWidths
    let playing = destinations.enumerated().compactMap { index, destination in
      destination.following.map { (sink: index, device: $0) }
    }
    devices = playing.map(\.device) + recorders.map(\.device)
    sinks = playing.map(\.sink)
    playerCount = playing.count
    players = .allocate(capacity: max(playing.count, 1))
    for (index, player) in playing.enumerated() {
      (players + index).initialize(
        to: Player(device: .passUnretained(player.device), width: widths[player.sink]))
    }
  }

  func destroy() {
    players.deinitialize(count: playerCount)
    players.deallocate()
  }

  func start() throws(IOError) {
    for device in devices { try device.start() }
  }

  /// Lets them play what they have, and waits for their end.
  func finish() {
    for device in devices { device.finish() }
  }

  func stopWaiting() {
    for device in devices { device.device.stopWaiting() }
  }

  /// Why one of them has ended by itself; nil where none has.
  var loss: IOError? { devices.first(where: \.isLost)?.device.loss }

  // MARK: - Render thread

  /// True where each of them has room for a block, at once or a millisecond later.
  func waitForRoom() -> Bool {
    if haveRoom { return true }
    usleep(1000)
    return haveRoom
  }

  private var haveRoom: Bool {
    for index in 0..<playerCount
    where !players[index].device._withUnsafeGuaranteedRef({ $0.hasRoom }) { return false }
    return true
  }

  /// Nothing more comes.
  func end() {
    for device in devices { device.end() }
  }

  /// Hands them a block: their channels lie behind each other.
  func push(_ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int) {
    var first = 0
    for index in 0..<playerCount {
      players[index].device._withUnsafeGuaranteedRef {
        $0.push(channels + first, frameCount: frameCount)
      }
      first += players[index].width
    }
  }
}
