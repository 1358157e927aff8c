import FxAudio

/// Consecutive units that consist only of filters, run in one pass. Each unit's output goes only to
/// the next one.
///
/// The output is bit-identical to running the units one after another. They do run one after
/// another in a block where a unit has moving parameters, receives silence, or was taken out.
struct JoinedCall: BitwiseCopyable {
  private let calls: UnsafePointer<UnsafeMutablePointer<NodeCall>>
  private let count: Int
  private let filters: JoinedFilters
  /// By unit, except the last one.
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
    // A unit that is taken out writes silence where the unit before it still reads.
    for index in 0..<count where calls[index].pointee.isOut {
      return renderApart(from: 0, place)
    }
    _ = calls[0].pointee.prepare(place)
    let isSilent = calls[0].pointee.hearsSilence(place.frameCount)
    if isSilent || !join(0) {
      calls[0].pointee.run(place, isSilent: isSilent)
      return renderApart(from: 1, place)
    }
    // A unit that joins has no moving parameters, so the next one may use their memory.
    for index in 1..<count {
      _ = calls[index].pointee.prepare(place)
      if join(index) { continue }
      for prepared in 0...index {
        // The first unit's input is not silent: that was checked above.
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

  /// True when a prepared unit joins the first one.
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
