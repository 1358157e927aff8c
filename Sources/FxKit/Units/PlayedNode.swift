import FxAudio

/// A closure that plays MIDI.
final class PlayedNode: NodeObject, @unchecked Sendable {
  // Sendable: `midi` is made before the node renders and freed after it, by the one that has taken `use`.
  let use = NodeUse()
  private let play: SourceNode.Play
  private var midi: UnsafeMutablePointer<MIDIInput>?

  init(_ play: @escaping SourceNode.Play) { self.play = play }

  func prepare(_ preparation: Preparation) {
    let midi = UnsafeMutablePointer<MIDIInput>.allocate(capacity: 1)
    midi.initialize(to: MIDIInput(preparation))
    self.midi = midi
  }

  func end() {
    midi?.deinitialize(count: 1)
    midi?.deallocate()
    midi = nil
  }

  static let entry = UnitEntry(
    render: { state, block in
      Unmanaged<PlayedNode>.fromOpaque(state)._withUnsafeGuaranteedRef {
        guard let midi = $0.midi else { return }
        let block = RenderBlock(at: block)
        midi.pointee.begin(block)
        $0.play(block, &midi.pointee)
      }
    },
    reset: { _ in })
}
