package import FxAudio

/// Reads pushed bytes, and reports what they contain. Each function runs on the thread of its bytes.
package enum StreamReading {
  /// Reports the properties and the packets.
  ///
  /// - Parameters:
  ///   - hint: the declared format, if the bytes do not show it: `mp3`, `audio/aac`.
  ///   - byteCount: the size of the whole stream, if it is known.
  package static func walk(
    _ bytes: PushedBytes, hint: String?, byteCount: Int?, _ fail: (Failure) -> Void
  ) {
    let reader = ByteReader(bytes)
    do throws(Failure) {
      let kind = try DecoderCatalogue.kind(of: reader, hint: hint)
      guard let walker = try kind.walk?(reader) else { return }
      var known: SoundProperties?
      while true {
        var now = walker.properties
        now.byteCount = now.byteCount ?? byteCount
        if now != known {
          known = now
          guard bytes.report(.properties(now)) else { return }
        }
        switch try walker.next() {
        case .packet(let packet): guard bytes.report(.packet(packet)) else { return }
        case .discontinuity(let offset):
          guard bytes.report(.discontinuity(offset: offset)) else { return }
        case .end:
          _ = bytes.report(.properties(walker.properties))
          return
        }
      }
    } catch {
      if error.code != .interrupted { fail(error) }
    }
  }

  /// Reports the audio from a frame on, and warnings.
  package static func decode(
    _ bytes: PushedBytes, hint: String?, from start: Int, _ fail: (Failure) -> Void
  ) {
    do throws(Failure) {
      let source = try FileSource.open(pushed: bytes, hint: hint)
      if start > 0 { try source.seek(toFrame: start) }
      var frame = start
      var isWanted = true
      try source.readBlocks { block, count in
        let channels = (0..<block.channelCount).map {
          Array(UnsafeBufferPointer(start: block[$0], count: count))
        }
        isWanted = bytes.report(.audio(frame: frame, channels: channels))
        frame += count
        return isWanted
      }
      guard isWanted else { return }
      for warning in source.warnings {
        guard bytes.report(.warning(warning)) else { return }
      }
    } catch {
      if error.code != .interrupted { fail(error) }
    }
  }
}
