import FxAudio

/// The header of a file with interleaved samples: WAV, RF64 and BW64, AIFF, CAF, W64, AU.
struct PCMHeader {
  var container: String
  var codec = "PCM"
  var sampleRate = 0.0
  var channelCount = 0
  var mask: UInt32 = 0
  var bitsPerSample: Int?
  var isFloat = false
  /// The size in bytes of one frame of all channels.
  var frameByteCount = 0
  var dataOffset = 0
  /// nil if the header does not give it.
  var dataByteCount: Int?

  /// Reads up to the first sample.
  ///
  /// - Throws: `truncated` if the stream ends too early, `damaged` for an invalid header, and
  ///   `headerAtEnd` if the samples come before the description of their format.
  init(_ window: ByteWindow, name: String) throws(Failure) {
    guard window.has(12) else { throw PCMHeader.cut(name, window) }
    let start = String(decoding: window.bytes()[..<4], as: UTF8.self)
    switch start {
    case "RIFF", "RF64", "BW64", "RIFX":
      container = start.hasPrefix("RI") ? "WAV" : start
      try readRIFF(window, name, isBig: start == "RIFX")
    case "FORM":
      container = "AIFF"
      try readAIFF(window, name)
    case "caff":
      container = "CAF"
      try readCAF(window, name)
    case "riff":
      container = "W64"
      try readW64(window, name)
    default:
      container = "AU"
      try readAU(window, name)
    }
    guard channelCount > 0, channelCount <= 65535, sampleRate >= 1, sampleRate < 1e9 else {
      throw Failure(
        .damaged, name,
        "the header is damaged: \(channelCount) channels at \(sampleRate) Hz")
    }
  }

  private static func cut(_ name: String, _ window: ByteWindow) -> Failure {
    Failure(
      .truncated, name,
      "the file ends within its header after \(window.offset + window.count) bytes; fetch it again")
  }

  private static func late(_ name: String) -> Failure {
    Failure(
      .headerAtEnd, name,
      "the header is behind the sound, so that it cannot be read as a stream; save it as a file first"
    )
  }

  /// Walks through the chunks until `visit` returns true.
  private func walk(
    _ window: ByteWindow, _ name: String, head: Int, size: (ByteWindow) -> Int?,
    padding: Int, countsHead: Bool,
    visit: (_ id: String, _ size: Int) throws(Failure) -> Bool
  ) throws(Failure) {
    for _ in 0..<SoundLayout.chunkLimit {
      guard window.has(head), let length = size(window) else { throw PCMHeader.cut(name, window) }
      let id = String(decoding: window.bytes()[..<4], as: UTF8.self)
      // A negative size is not reduced, which could overflow; it is refused below.
      let content = countsHead && length >= 0 ? length - head : length
      window.skip(head)
      let offset = window.offset
      if try visit(id, content) { return }
      let (padded, isOverflow) = max(content, 0).addingReportingOverflow(padding - 1)
      guard !isOverflow, content >= 0 else {
        throw Failure(.damaged, name, "the header is damaged: a chunk of \(content) bytes")
      }
      let left = padded / padding * padding - (window.offset - offset)
      guard window.skip(left) else { throw PCMHeader.cut(name, window) }
    }
    throw Failure(
      .damaged, name,
      "no sound within the first \(SoundLayout.chunkLimit) chunks of the file: no 'data' chunk")
  }

  private mutating func readRIFF(
    _ window: ByteWindow, _ name: String, isBig: Bool
  ) throws(Failure) {
    window.skip(12)
    var format: PCMHeader?
    var longSize: Int?
    var header = self
    try walk(
      window, name, head: 8, size: { number($0, 4, 4, isBig) }, padding: 2, countsHead: false
    ) { id, size throws(Failure) in
      switch id {
      case "fmt ":
        guard size >= 16, window.has(min(size, 40)) else { throw PCMHeader.cut(name, window) }
        var tag = number(window, 0, 2, isBig)
        header.channelCount = number(window, 2, 2, isBig)
        header.sampleRate = Double(number(window, 4, 4, isBig))
        header.frameByteCount = number(window, 12, 2, isBig)
        let bits = number(window, 14, 2, isBig)
        if tag == 0xfffe, size >= 26 {
          header.mask = UInt32(truncatingIfNeeded: number(window, 20, 4, isBig))
          tag = number(window, 24, 2, isBig)
        }
        header.setCodec(tag: tag, bits: bits)
        format = header
      case "ds64":
        if size >= 16, window.has(16) {
          longSize = number(window, 8, 4, isBig) | number(window, 12, 4, isBig) << 32
        }
      case "data":
        guard let format else { throw PCMHeader.late(name) }
        header = format
        header.dataOffset = window.offset
        // For a pipe, writers leave all ones, zero, or nearly the largest signed number here.
        header.dataByteCount =
          size == 0xffff_ffff ? longSize : size == 0 || size >= 0x7fff_0000 ? nil : size
        return true
      default: break
      }
      return false
    }
    self = header
  }

  private mutating func setCodec(tag: Int, bits: Int) {
    let names = [
      2: "MS ADPCM", 6: "A-law", 7: "µ-law", 0x11: "IMA ADPCM", 0x31: "GSM 6.10", 0x50: "MP2",
      0x55: "MP3",
    ]
    isFloat = tag == 3
    codec = tag == 1 || tag == 3 ? "PCM" : names[tag] ?? "WAV coding \(tag)"
    bitsPerSample = bits > 0 ? bits : nil
  }

  private mutating func readAIFF(_ window: ByteWindow, _ name: String) throws(Failure) {
    window.skip(12)
    var header = self
    var isKnown = false
    try walk(
      window, name, head: 8, size: { number($0, 4, 4, true) }, padding: 2, countsHead: false
    ) { id, size throws(Failure) in
      if id == "COMM" {
        guard size >= 18, window.has(min(size, 22)) else { throw PCMHeader.cut(name, window) }
        header.channelCount = number(window, 0, 2, true)
        let bits = number(window, 6, 2, true)
        header.bitsPerSample = bits
        header.frameByteCount = header.channelCount * ((bits + 7) / 8)
        header.sampleRate = extended(window, 8)
        if size >= 22 {
          header.setCodec(aiff: String(decoding: window.bytes(at: 18)[..<4], as: UTF8.self))
        }
        isKnown = true
      } else if id == "SSND" {
        guard isKnown else { throw PCMHeader.late(name) }
        guard window.has(8) else { throw PCMHeader.cut(name, window) }
        let start = 8 + number(window, 0, 4, true)
        header.dataOffset = window.offset + start
        header.dataByteCount = size > start ? size - start : nil
        window.skip(start)
        return true
      }
      return false
    }
    self = header
  }

  private mutating func setCodec(aiff: String) {
    let names = ["ulaw": "µ-law", "ULAW": "µ-law", "alaw": "A-law", "ALAW": "A-law"]
    isFloat = ["fl32", "FL32", "fl64", "FL64"].contains(aiff)
    let isPlain = isFloat || ["NONE", "sowt", "twos", "in24", "in32"].contains(aiff)
    codec = isPlain ? "PCM" : names[aiff] ?? aiff
  }

  private mutating func readCAF(_ window: ByteWindow, _ name: String) throws(Failure) {
    window.skip(8)
    var header = self
    var isKnown = false
    try walk(
      window, name, head: 12, size: { number($0, 4, 8, true) }, padding: 1, countsHead: false
    ) { id, size throws(Failure) in
      if id == "desc" {
        guard window.has(32) else { throw PCMHeader.cut(name, window) }
        header.sampleRate = Double(
          bitPattern: UInt64(bitPattern: Int64(number(window, 0, 8, true))))
        let coding = String(decoding: window.bytes(at: 8)[..<4], as: UTF8.self)
        let flags = number(window, 12, 4, true)
        header.frameByteCount = number(window, 16, 4, true)
        header.channelCount = number(window, 24, 4, true)
        let bits = number(window, 28, 4, true)
        header.bitsPerSample = bits > 0 ? bits : nil
        header.isFloat = coding == "lpcm" && flags & 1 != 0
        header.codec = coding == "lpcm" ? "PCM" : coding.trimmed
        isKnown = true
      } else if id == "data" {
        guard isKnown else { throw PCMHeader.late(name) }
        header.dataOffset = window.offset + 4
        header.dataByteCount = size > 4 ? size - 4 : nil
        window.skip(4)
        return true
      }
      return false
    }
    self = header
  }

  private mutating func readW64(_ window: ByteWindow, _ name: String) throws(Failure) {
    window.skip(40)
    var header = self
    var isKnown = false
    try walk(
      window, name, head: 24, size: { number($0, 16, 8, false) }, padding: 8, countsHead: true
    ) { id, size throws(Failure) in
      if id == "fmt " {
        guard window.has(16) else { throw PCMHeader.cut(name, window) }
        header.channelCount = number(window, 2, 2, false)
        header.sampleRate = Double(number(window, 4, 4, false))
        header.frameByteCount = number(window, 12, 2, false)
        var tag = number(window, 0, 2, false)
        if tag == 0xfffe, size >= 26, window.has(26) { tag = number(window, 24, 2, false) }
        header.setCodec(tag: tag, bits: number(window, 14, 2, false))
        isKnown = true
      } else if id == "data" {
        guard isKnown else { throw PCMHeader.late(name) }
        header.dataOffset = window.offset
        header.dataByteCount = size > 0 ? size : nil
        return true
      }
      return false
    }
    self = header
  }

  private mutating func readAU(_ window: ByteWindow, _ name: String) throws(Failure) {
    guard window.has(24) else { throw PCMHeader.cut(name, window) }
    let isBig = window[0] == 0x2e
    dataOffset = window.offset + number(window, 4, 4, isBig)
    let size = number(window, 8, 4, isBig)
    let encoding = number(window, 12, 4, isBig)
    sampleRate = Double(number(window, 16, 4, isBig))
    channelCount = number(window, 20, 4, isBig)
    dataByteCount = size == 0xffff_ffff ? nil : size
    let bits = [1: 8, 2: 8, 3: 16, 4: 24, 5: 32, 6: 32, 7: 64, 27: 8]
    bitsPerSample = bits[encoding]
    frameByteCount = (bitsPerSample ?? 0) / 8 * min(channelCount, 65535)
    isFloat = encoding == 6 || encoding == 7
    codec =
      encoding == 1
      ? "µ-law" : encoding == 27 ? "A-law" : bits[encoding] == nil ? "AU coding \(encoding)" : "PCM"
    guard dataOffset >= window.offset + 24, window.skip(dataOffset - window.offset) else {
      throw PCMHeader.cut(name, window)
    }
  }
}

private func number(_ window: ByteWindow, _ place: Int, _ width: Int, _ isBig: Bool) -> Int {
  let bytes = window.bytes(at: place)
  guard bytes.count >= width else { return 0 }
  let value = (0..<width).reduce(UInt64(0)) {
    $0 << 8 | UInt64(bytes[isBig ? $1 : width - 1 - $1])
  }
  return Int(truncatingIfNeeded: value)
}

/// A number with 80 bits (IEEE 754, extended precision).
private func extended(_ window: ByteWindow, _ place: Int) -> Double {
  let head = number(window, place, 2, true)
  let fraction = UInt64(bitPattern: Int64(number(window, place + 2, 8, true)))
  return Double(sign: .plus, exponent: (head & 0x7fff) - 16383 - 63, significand: Double(fraction))
}

extension String {
  fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
