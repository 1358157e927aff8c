import CEBUR128
internal import FxAudio

/// The loudness of a sound by libebur128: an outside reference for our own meters.
package struct ReferenceLoudness {
  package let integrated: Double
  package let range: Double

  /// Channels in the order of a WAV file; nil if libebur128 refuses the format.
  package init?(_ channels: [[Float]], sampleRate: Double) {
    let mode = EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue
    var state = ebur128_init(UInt32(channels.count), UInt(sampleRate), Int32(mode))
    guard let meter = state else { return nil }
    defer { ebur128_destroy(&state) }
    let count = channels.first?.count ?? 0
    let frames = (0..<count).flatMap { frame in channels.map { $0[frame] } }
    guard ebur128_add_frames_float(meter, frames, count) == Int32(EBUR128_SUCCESS.rawValue)
    else { return nil }
    var (integrated, range) = (-Double.infinity, 0.0)
    ebur128_loudness_global(meter, &integrated)
    ebur128_loudness_range(meter, &range)
    (self.integrated, self.range) = (integrated, range)
  }

  /// The loudness of several sounds as one; nil if libebur128 refuses the format.
  package static func integrated(ofAll sounds: [[[Float]]], sampleRate: Double) -> Double? {
    var states: [UnsafeMutablePointer<ebur128_state>?] = sounds.map { channels in
      let mode = Int32(EBUR128_MODE_I.rawValue)
      guard let meter = ebur128_init(UInt32(channels.count), UInt(sampleRate), mode) else {
        return nil
      }
      let count = channels.first?.count ?? 0
      let frames = (0..<count).flatMap { frame in channels.map { $0[frame] } }
      ebur128_add_frames_float(meter, frames, count)
      return meter
    }
    defer { for index in states.indices { ebur128_destroy(&states[index]) } }
    guard !states.contains(nil) else { return nil }
    var integrated = -Double.infinity
    let code = ebur128_loudness_global_multiple(&states, states.count, &integrated)
    return code == Int32(EBUR128_SUCCESS.rawValue) ? integrated : nil
  }
}
