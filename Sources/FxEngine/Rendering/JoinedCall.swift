import FxAudio

/// Units that follow one another and are nothing but filters, run in one pass. Each hears what the one
/// before it gives, and nobody else does.
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
    // One that is out writes its silence where the one before it still reads.
    for index in 0..<count where calls[index].pointee.isOut {
      return renderApart(from: 0, place)
    }
    _ = calls[0].pointee.prepare(place)
    let isSilent = calls[0].pointee.hearsSilence(place.frameCount)
    if isSilent || !join(0) {
      calls[0].pointee.run(place, isSilent: isSilent)
      return renderApart(from: 1, place)
    }
    // A unit that joins has no parameters on their way, so the next one may use their memory.
    for index in 1..<count {
      _ = calls[index].pointee.prepare(place)
      if join(index) { continue }
      for prepared in 0...index {
        // The first one hears no silence: that was asked above.
        let isSilent = prepared > 0 && calls[prepared].pointee.hearsSilence(place.frameCount)
        calls[prepared].pointee.run(place, isSilent: isSilent)
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

  @_noLocks
  private func renderApart(from first: Int, _ place: BlockPlace) {
    for index in first..<count { calls[index].pointee.render(place) }
  }
}
