import FxAudio

/// Units that follow one another and are nothing but filters, run in one pass. Each hears what the one
/// before it gives and nobody else does, in the same buffers.
///
/// The bits are those of the units one after the other, which is what happens in a block where one of
/// them has parameters on their way, hears silence, or was out.
struct JoinedCall: BitwiseCopyable {
  private let calls: UnsafePointer<UnsafeMutablePointer<NodeCall>>
  private let count: Int
  private let filters: JoinedFilters
  /// By unit but for the last one.
  private let lastSamples: UnsafePointer<UnsafeMutablePointer<Float>>

  init(_ calls: [UnsafeMutablePointer<NodeCall>], in arena: inout Arena) {
    self.calls = UnsafePointer(arena.pack(calls))
    count = calls.count
    filters = JoinedFilters(
      count: count,
      in: arena.pack([Int](repeating: 0, count: JoinedFilters.wordCount(calls.count))))
    lastSamples = UnsafePointer(arena.pack(calls.map(\.pointee.lastSamples)))
  }

  // MARK: - Realtime

  @_noLocks
  func render(_ place: BlockPlace) {
    guard calls[0].pointee.prepare(place) else { return renderApart(from: 1, place) }
    let isSilent = calls[0].pointee.hearsSilence(place.frameCount)
    if isSilent || !join(0) {
      calls[0].pointee.run(place, isSilent: isSilent)
      return renderApart(from: 1, place)
    }
    // A unit that joins has no parameters on their way, so the next one may use their memory.
    for index in 1..<count {
      if calls[index].pointee.prepare(place) {
        if join(index) { continue }
        runPrepared(index - 1, place)
        calls[index].pointee.run(
          place, isSilent: calls[index].pointee.hearsSilence(place.frameCount))
      } else {
        // It is out, and its silence is where the unit before it has just been.
        runPrepared(index - 1, place)
        calls[index].pointee.silence(place.frameCount)
      }
      return renderApart(from: index + 1, place)
    }
    let last = calls[count - 1]
    filters.render(
      UnsafePointer(calls[0].pointee.inputs), UnsafePointer(last.pointee.outputs),
      frame: calls[0].pointee.ownFrame(place.frame), frameCount: place.frameCount,
      lastSamples: lastSamples)
    for index in 1..<count { calls[index].pointee.rest?.pointee.hear() }
    last.pointee.endJoined(place)
  }

  /// True when a unit that was prepared joins the first one.
  @_noLocks
  private func join(_ index: Int) -> Bool {
    calls[index].pointee.block.pointee.frame == calls[0].pointee.block.pointee.frame
      && calls[index].pointee.join(UnsafeMutableRawPointer(filters.place(index)))
  }

  /// Runs the units up to one after the other, which were prepared; the first hears no silence.
  @_noLocks
  private func runPrepared(_ last: Int, _ place: BlockPlace) {
    for index in 0...last {
      let call = calls[index]
      let isSilent = index > 0 && call.pointee.hearsSilence(place.frameCount)
      call.pointee.run(place, isSilent: isSilent)
    }
  }

  @_noLocks
  private func renderApart(from first: Int, _ place: BlockPlace) {
    for index in first..<count { calls[index].pointee.render(place) }
  }
}
