import CKernels
import FxAudio
import Synchronization

/// The peak of each node's output, measured only while somebody wants to see it.
struct NodeLevels: BitwiseCopyable, @unchecked Sendable {
  // Sendable: the render thread writes, anybody reads whole words.
  private let wanted: UnsafeMutablePointer<Atomic<Int>>
  /// By node: the highest magnitude of the latest blocks, falling.
  private let peaks: UnsafeMutablePointer<Float>
  private let vectorLevel: Int32
  private let fall: PeakFall

  init(slotCount: Int, sampleRate: Double, in arena: inout Arena) {
    wanted = arena.allocateCounter()
    peaks = arena.allocate(Float.self, count: slotCount, repeating: 0)
    vectorLevel = fx_vector_level()
    fall = PeakFall(sampleRate: sampleRate)
  }

  /// Starts or stops the measurement.
  func want(_ isWanted: Bool) { wanted.pointee.store(isWanted ? 1 : 0, ordering: .relaxed) }

  /// The peak of a node's output; nil while nothing is measured.
  func peak(_ node: Int) -> Float? {
    wanted.pointee.load(ordering: .relaxed) == 0 ? nil : peaks[node]
  }

  // MARK: - Realtime

  var isWanted: Bool {
    @_noLocks get { wanted.pointee.load(ordering: .relaxed) != 0 }
  }

  /// Measures the output of a node's last step.
  @_noLocks
  func note(_ operation: Operation, _ node: Int, _ place: BlockPlace) {
    let frameCount = place.frameCount
    var peak = fall.next(peaks[node], frameCount: frameCount)
    switch operation {
    case .run(let call):
      // These pointers are already at the slice.
      for channel in 0..<call.pointee.outputCount {
        let found = fx_measure(vectorLevel, call.pointee.outputs[channel], frameCount).peak
        if found > peak { peak = found }
      }
    case .blend(let blend):
      for channel in 0..<blend.pointee.channelCount {
        let output = blend.pointee.outputs[channel].at(place)
        let found = fx_measure(vectorLevel, output, frameCount).peak
        if found > peak { peak = found }
      }
    // A program that measures levels joins no nodes.
    case .sum, .fadingSum, .delay, .runJoined: return
    }
    peaks[node] = peak
  }
}
