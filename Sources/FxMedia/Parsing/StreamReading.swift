package import FxAudio

/// Reads pushed bytes, and reports what they contain. Each function runs on the thread of its bytes.
package enum StreamReading {
  /// Reports the properties and the packets.
  ///
  /// - Parameters:
  ///   - hint: the declared format, if the bytes do not show it: `mp3`, `audio/aac`.
  ///   - byteCount: the size of the whole stream, if it is known.
  ///   - keepsBytes: packets have their bytes.
  package static func walk(
    _ bytes: PushedBytes, hint: String?, byteCount: Int?, keepsBytes: Bool = false,
    _ fail: (Failure) -> Void
  ) {
    let reader = ByteReader(bytes)
    do throws(Failure) {
      let kind = try DecoderCatalogue.kind(of: reader, hint: hint)
      guard let walker = try kind.walk?(reader) else { return }
      walker.keepsBytes = keepsBytes
      var known: SoundProperties?
      while true {
        let now = walker.properties.completed(byteCount: byteCount)
        if known.map({ now.differs(from: $0) }) != false {
          known = now
          guard bytes.report(.properties(now)) else { return }
        }
        switch try walker.next() {
        case .packet(let packet): guard bytes.report(.packet(packet)) else { return }
        case .discontinuity(let offset):
          guard bytes.report(.discontinuity(offset: offset)) else { return }
        case .end:
          var last = walker.properties
          last.byteCount = last.byteCount ?? byteCount
          if last != known { _ = bytes.report(.properties(last)) }
          return
        }
      }
    } catch {
      if error.code != .interrupted { fail(error) }
    }
  }

  /// Reports the audio from a frame on, and warnings.
  ///
  /// - Parameter target: what a seek looks for; nil at the start of the stream.
  package static func decode(
    _ bytes: PushedBytes, hint: String?, _ target: SeekTarget? = nil, _ fail: (Failure) -> Void
  ) {
    do throws(Failure) {
      let (source, start) = try open(bytes, hint: hint, target)
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

  /// Opens the sound at the start, or where a seek wants it. Returns its next frame too.
  private static func open(
    _ bytes: PushedBytes, hint: String?, _ target: SeekTarget?
  ) throws(Failure) -> (any AudioSource, frame: Int) {
    guard let target else { return (try FileSource.open(pushed: bytes, hint: hint), 0) }
    if target.isEstimate, bytes.kept?.beginning(upTo: DecoderKind.probeLength) != nil,
      let spliced = try SplicedSound.open(
        bytes, target, try DecoderCatalogue.kind(of: ByteReader(bytes), hint: hint))
    {
      return spliced
    }
    guard bytes.seek(to: 0) else {
      throw Failure(.unreadable, bytes.name, "cannot seek in this stream")
    }
    let source = try FileSource.open(pushed: bytes, hint: hint)
    if let source = source as? any PacketSeeking {
      if target.properties?.laterSoundCount == 0 { source.use(target.places) }
      _ = try source.seek(toFrame: target.frame, isEstimate: target.isEstimate)
    } else if target.frame > 0 {
      try source.seek(toFrame: target.frame)
    }
    return (source, target.frame)
  }
}

/// A source that can seek by packets that somebody else has found, and to estimated places.
protocol PacketSeeking {
  /// Uses frames that somebody else has found.
  func use(_ places: PacketMap)
  /// Seeks to a frame; false if the place is estimated.
  func seek(toFrame frame: Int, isEstimate: Bool) throws(Failure) -> Bool
}
