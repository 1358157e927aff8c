import FxAudio

/// One step of a program, ready to run: what to do and where its memory is.
enum Operation: BitwiseCopyable {
  case run(UnsafeMutablePointer<NodeCall>)
  case blend(UnsafePointer<BlendCall>)
  case sum(UnsafePointer<SumCall>)
  case fadingSum(UnsafePointer<FadingSumCall>)
  case delay(DelayRing, input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>)
  case feedbackRead(DelayRing, output: UnsafeMutablePointer<Float>)
  case feedbackWrite(DelayRing, input: UnsafePointer<Float>)

  // MARK: - Realtime

  /// Runs the step for the frames from `offset` on, `frame` being the absolute frame there.
  @_noLocks
  func render(frame: Int, offset: Int, frameCount: Int) {
    switch self {
    case .run(let call):
      call.pointee.render(frame: frame, offset: offset, frameCount: frameCount)
    case .blend(let call):
      call.pointee.render(offset: offset, frameCount: frameCount)
    case .sum(let call):
      call.pointee.render(offset: offset, frameCount: frameCount)
    case .fadingSum(let call):
      call.pointee.render(frame: frame, offset: offset, frameCount: frameCount)
    case .delay(let ring, let input, let output):
      ring.write(input + offset, at: frame, frameCount: frameCount)
      ring.read(into: output + offset, at: frame, frameCount: frameCount)
    case .feedbackRead(let ring, let output):
      ring.read(into: output + offset, at: frame, frameCount: frameCount)
    case .feedbackWrite(let ring, let input):
      ring.write(input + offset, at: frame, frameCount: frameCount)
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

  @_noLocks
  func render(frame: Int, frameCount: Int) {
    let slice = slice.pointee
    var offset = 0
    while offset < frameCount {
      let run = min(slice, frameCount - offset)
      for index in 0..<count {
        operations[index].render(frame: frame + offset, offset: offset, frameCount: run)
      }
      offset += run
    }
  }
}
