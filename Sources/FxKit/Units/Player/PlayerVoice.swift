import CRealtime
import FxAudio
import Synchronization

/// The schedule of a player, and the buffer that sounds.
///
/// Buffers and completions stay on the program's side. The render thread gets pointers through one ring and
/// returns the numbers of finished buffers through another.
final class PlayerVoice: NodeObject, @unchecked Sendable {
  // Sendable: the renderer belongs to the control thread until a node has it, then to the render thread.
  /// The buffers that can wait at a time.
  static let capacity = PlayerExchange.slotCount / 2

  let use = NodeUse()
  private let renderer: UnsafeMutablePointer<PlayerRenderer>
  private let ledger: PlayerLedger

  init(channelCount: Int) {
    let exchange = PlayerExchange.make()
    renderer = .allocate(capacity: 1)
    renderer.initialize(to: PlayerRenderer(exchange, channelCount: channelCount))
    ledger = PlayerLedger(exchange)
  }

  deinit {
    ledger.end()
    renderer.pointee.destroy()
    renderer.deallocate()
  }

  /// A node begins to render it.
  func begin(_ preparation: Preparation) {
    ledger.playbackSeconds =
      Double(preparation.playedLatency + preparation.playbackFrames) / preparation.sampleRate
    renderer.pointee.begin(
      fadeFrameCount: max(Int(preparation.sampleRate * 0.005), 1),
      sampleRate: preparation.sampleRate, isLive: preparation.isLive)
  }

  /// The performance has ended, or the node was removed: all buffers that it was given are cut.
  func end() { renderer.pointee.cutAll() }

  func schedule(
    _ buffer: PCMBuffer, at moment: PlayerNode.Moment, _ options: PlayerNode.Options,
    _ stage: PlayerNode.Stage, _ completion: (@Sendable (PlayerNode.Outcome) -> Void)?
  ) -> Bool {
    ledger.add(buffer, at: moment, options, stage, completion)
  }

  func stop() { ledger.stop() }

  var nextFrame: Int { ledger.exchange.nextFrame }

  var playedFrames: Int? {
    let played = ledger.exchange.playedFrames
    return played >= 0 ? played : nil
  }

  static let entry = UnitEntry(
    render: { state, block in
      Unmanaged<PlayerVoice>.fromOpaque(state)._withUnsafeGuaranteedRef {
        $0.renderer.pointee.render(RenderBlock(at: block))
      }
    },
    reset: { _ in })
}
