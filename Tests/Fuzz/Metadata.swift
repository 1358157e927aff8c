/// The metadata of stations: whatever pieces the bytes come in, the sound and the titles are the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard bytes.count > 2 else { return 0 }
  let rest = Array(bytes.dropFirst(2))
  let whole = split(rest, every: Int(bytes[0]), pieces: rest.count)
  let pieces = split(rest, every: Int(bytes[0]), pieces: Int(bytes[1]) + 1)
  precondition(whole == pieces)
  _ = ICYMetadata.title(rest)
  return 0
}

private struct Parts: Equatable {
  var sound: [UInt8] = []
  var titles: [String?] = []
}

private func split(_ bytes: [UInt8], every interval: Int, pieces size: Int) -> Parts {
  var parts = Parts()
  guard var splitter = ICYSplitter(interval: interval), size > 0 else { return parts }
  for start in stride(from: 0, to: bytes.count, by: size) {
    let piece = Array(bytes[start..<min(start + size, bytes.count)])
    piece.withUnsafeBytes { buffer in
      var sound: [UInt8] = []
      var titles: [String?] = []
      splitter.split(buffer) {
        sound += Array($0)
      } metadata: {
        titles.append(ICYMetadata.title($0))
      }
      parts.sound += sound
      parts.titles += titles
    }
  }
  return parts
}
