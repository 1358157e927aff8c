import FxAudio

/// One step of a program, ready to run: what to do and where its memory is.
enum Operation: BitwiseCopyable {
  case run(UnsafeMutablePointer<NodeCall>)
  case blend(UnsafePointer<BlendCall>)
  case sum(UnsafePointer<SumCall>)
  case fadingSum(UnsafePointer<FadingSumCall>)
  case delay(DelayRing, input: BlockBuffer, output: BlockBuffer)
  case feedbackRead(DelayRing, output: BlockBuffer)
  case feedbackWrite(DelayRing, input: BlockBuffer)

  // MARK: - Realtime

  /// Runs the step.
  @_noLocks
  func render(_ place: BlockPlace) {
    switch self {
    case .run(let call): call.pointee.render(place)
    case .blend(let call): call.pointee.render(place)
    case .sum(let call): call.pointee.render(place)
    case .fadingSum(let call): call.pointee.render(place)
    case .delay(let ring, let input, let output):
      ring.write(UnsafePointer(input.at(place)), at: place.frame, frameCount: place.frameCount)
      ring.read(into: output.at(place), at: place.frame, frameCount: place.frameCount)
    case .feedbackRead(let ring, let output):
      ring.read(into: output.at(place), at: place.frame, frameCount: place.frameCount)
    case .feedbackWrite(let ring, let input):
      ring.write(UnsafePointer(input.at(place)), at: place.frame, frameCount: place.frameCount)
    }
  }
}

/// Steps that run together: over the whole block, or in slices no longer than `slice` frames.
struct OperationSection: BitwiseCopyable {
  let operations: UnsafePointer<Operation>
  let count: Int
  let slice: UnsafePointer<Int>
  /// What is timed at once; none where nothing is.
  let spans: UnsafePointer<OperationSpan>
  let spanCount: Int
  /// What of each step is looked at; none where nothing is.
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
