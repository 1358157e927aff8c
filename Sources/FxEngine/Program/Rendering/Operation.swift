import FxAudio

/// One step of a program, ready to run: its kind and its memory.
enum Operation: BitwiseCopyable {
  case run(UnsafeMutablePointer<NodeCall>)
  case blend(UnsafePointer<BlendCall>)
  case sum(UnsafePointer<SumCall>)
  case fadingSum(UnsafePointer<FadingSumCall>)
  case delay(UnsafePointer<DelayCall>)
  case runJoined(UnsafePointer<JoinedCall>)

  // MARK: - Realtime

  /// Runs the step.
  @_noLocks @inline(__always)
  func render(_ place: BlockPlace) {
    if case .run(let call) = self { return call.pointee.render(place) }
    renderOther(place)
  }

  /// Runs a step of any other kind.
  @_noLocks @inline(never)
  private func renderOther(_ place: BlockPlace) {
    switch self {
    case .run: return
    case .blend(let call): call.pointee.render(place)
    case .sum(let call): call.pointee.render(place)
    case .fadingSum(let call): call.pointee.render(place)
    case .delay(let call): call.pointee.render(place)
    case .runJoined(let call): call.pointee.render(place)
    }
  }
}

/// Steps that run together: over the whole block, or in slices no longer than `slice` frames.
struct OperationSection: BitwiseCopyable {
  let operations: UnsafePointer<Operation>
  let count: Int
  let slice: UnsafePointer<Int>
  /// Spans that are timed together; empty where nothing is timed.
  let spans: UnsafePointer<OperationSpan>
  let spanCount: Int
  /// The fingerprints of each step; empty where none are taken.
  let fingerprints: UnsafePointer<FingerprintedStep>

  // MARK: - Realtime

  /// Runs the steps for a block.
  @_noLocks
  func render(_ block: BlockPlace) {
    let slice = slice.pointee
    guard slice < block.frameCount else { return renderSteps(block) }
    var place = block
    while place.offset < block.frameCount {
      place.frameCount = min(slice, block.frameCount - place.offset)
      renderSteps(place)
      place.offset += place.frameCount
      place.frame += place.frameCount
    }
  }

  @_noLocks @inline(__always)
  private func renderSteps(_ place: BlockPlace) {
    for index in 0..<count { operations[index].render(place) }
  }
}
