import FxAudio
import FxEngine
import Glibc

/// The devices other than the one that sets the pace.
///
/// The render thread pushes to the devices that play. The thread that starts and ends the devices
/// uses the rest.
struct Following: @unchecked Sendable {
  // Sendable: the pointers never change, and the devices are safe to use from several threads.
  let devices: [FollowingDevice]
  /// The sinks that these devices play, in the order of the outputs.
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

  func start() throws(Failure) {
    for device in devices { try device.start() }
  }

  /// Lets the devices play their remaining frames, and waits for their end.
  func finish() {
    for device in devices { device.finish() }
  }

  func stopWaiting() {
    for device in devices { device.device.stopWaiting() }
  }

  /// The reason why one of the devices ended by itself; nil if none did.
  var loss: Failure? { devices.first(where: \.isLost)?.device.loss }

  // MARK: - Render thread

  /// True when each device has room for a block, now or a millisecond later.
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

  /// Tells the devices that no more frames come.
  func end() {
    for device in devices { device.end() }
  }

  /// Pushes a block to the devices: the channels of all devices follow one another.
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
