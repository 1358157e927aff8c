import FxAudio

/// A part of the bytes of a reader that can seek, as a stream of its own.
final class SlicedStream: DerivedStream {
  let reader: ByteReader
  private let range: Range<Int>
  private var offset = 0

  /// - Parameter range: byte offsets of the reader.
  init(_ reader: ByteReader, _ range: Range<Int>) {
    self.reader = reader
    self.range = range
  }

  var byteCount: Int? { range.count }
  var file: FileBytes? { reader.file.map { FileBytes($0, range) } }
  var isLocal: Bool { reader.isLocal }

  func read(_ target: UnsafeMutableRawPointer, _ count: Int) -> Int {
    let wanted = min(count, range.count - offset)
    guard wanted > 0 else { return 0 }
    let place = range.lowerBound + offset
    // Another part of the reader may have been read meanwhile.
    guard reader.offset == place || reader.seek(to: place) else { return -1 }
    let got = reader.read(target, wanted)
    offset += max(got, 0)
    return got
  }

  func seek(to offset: Int) -> Bool {
    guard (0...range.count).contains(offset) else { return false }
    self.offset = offset
    return true
  }
}

/// The bytes of a pipe behind a number of first bytes.
final class RestStream: DerivedStream {
  let reader: ByteReader
  private var leftToSkip: Int

  init(_ reader: ByteReader, after byteCount: Int) {
    self.reader = reader
    leftToSkip = byteCount
  }

  var byteCount: Int? { nil }

  func read(_ target: UnsafeMutableRawPointer, _ count: Int) -> Int {
    while leftToSkip > 0 {
      let got = reader.read(target, min(count, leftToSkip))
      guard got > 0 else { return got }
      leftToSkip -= got
    }
    return reader.read(target, count)
  }

  func seek(to offset: Int) -> Bool { false }
}
