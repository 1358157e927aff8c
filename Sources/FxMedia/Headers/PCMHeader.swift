import FxAudio

/// The header of a file with interleaved samples: WAV, RF64 and BW64, AIFF, CAF, W64, AU.
///
/// Offsets are counted from its first byte.
struct PCMHeader {
  /// The declared size of the samples.
  enum Length: Equatable {
    /// 0 if the writer could not come back to fill it in.
    case bytes(Int)
    /// The writer did not know the size, and left a marker.
    case unknown
    /// The format allows a sound up to the end of the file.
    case toEnd
  }

  /// Where the sizes are declared, for corrections.
  struct Places {
    /// The chunk with the samples.
    var data = 0
    /// The content of the chunk `ds64`, or of a placeholder for it.
    var sizes: Int?
    var fact: Int?
    /// The content of AIFF's chunk `COMM`.
    var common: Int?
  }

  let container: String
  let isBig: Bool
  private(set) var codec = "PCM"
  private(set) var sampleRate = 0.0
  private(set) var channelCount = 0
  private(set) var mask: UInt32 = 0
  private(set) var bitsPerSample: Int?
  private(set) var isFloat = false
  /// The size in bytes of one frame of all channels.
  private(set) var frameByteCount = 0
  private(set) var dataOffset = 0
  private(set) var declared = Length.unknown
  /// The end of the file as WAV's header declares it.
  private(set) var declaredEnd: Int?
  private(set) var places = Places()
  /// False for a coding of WAV with an unknown identifier (GUID).
  private(set) var hasKnownCoding = true
  private var isDescribed = false

  /// Reads up to the first sample.
  ///
  /// - Throws: `truncated` if the bytes end too early, `damaged` for an invalid header, and
  ///   `headerAtEnd` if the samples come before the description of their format.
  init(_ bytes: HeaderBytes) throws(Failure) {
    let start = try bytes.all(at: 0, 12)
    switch start.text(0) {
    case "RIFF", "RF64", "BW64", "RIFX":
      isBig = start.text(0) == "RIFX"
      container = start.text(0).hasPrefix("RI") ? "WAV" : start.text(0)
      guard start.text(8) == "WAVE" else {
        throw Failure(.damaged, bytes.name, "the header is damaged: no 'WAVE' in it")
      }
      declaredEnd = start.number(4, 4, isBig: isBig) + 8
      try readWAV(bytes)
    case "FORM":
      isBig = true
      container = "AIFF"
      try readAIFF(bytes, isCompressed: start.text(8) == "AIFC")
    case "caff":
      isBig = true
      container = "CAF"
      try readCAF(bytes)
    case "riff":
      isBig = false
      container = "W64"
      try readW64(bytes)
    default:
      isBig = start[0] == 0x2e
      container = "AU"
      try readAU(bytes)
    }
    guard channelCount > 0, channelCount <= 65535, sampleRate >= 1, sampleRate < 1e9 else {
      throw Failure(
        .damaged, bytes.name,
        "the header is damaged: \(channelCount) channels at \(sampleRate) Hz")
    }
  }

  /// The header at the beginning of a reader that can seek; nil if it is not valid. The position changes.
  init?(seeking reader: ByteReader) {
    guard reader.seek(to: 0) else { return nil }
    let bytes = HeaderBytes(ByteWindow(reader), name: reader.name, byteCount: reader.byteCount)
    guard let header = try? PCMHeader(bytes) else { return nil }
    self = header
  }

  /// The declared size of the samples; nil if the writer did not know it.
  var dataByteCount: Int? {
    if case .bytes(let size) = declared, size > 0 { size } else { nil }
  }

  /// True if each frame has a fixed size.
  var isPlain: Bool {
    frameByteCount > 0 && ["PCM", "A-law", "µ-law"].contains(codec)
  }

  var isRIFF: Bool { ["WAV", "RF64", "BW64"].contains(container) }

  /// True for formats whose description is that of WAV.
  var hasFormatStructure: Bool { isRIFF || container == "W64" }

  /// True if the whole file ends with the samples, as its header declares it. Then bytes behind
  /// them are not part of the file.
  var endsWithSamples: Bool {
    guard case .bytes(let size) = declared, let declaredEnd else { return true }
    return declaredEnd <= dataOffset + size + 1
  }

  var format: StreamFormat {
    StreamFormat(
      sampleRate: sampleRate, layout: ChannelLayout(mask: mask, channelCount: channelCount))
  }

  // MARK: The formats

  private mutating func readWAV(_ bytes: HeaderBytes) throws(Failure) {
    var chunks = Chunks(bytes, .riff(isBig: isBig), from: 12)
    var longSize: Int?
    while let chunk = try chunks.next() {
      switch chunk.id {
      case "fmt ": try readFormat(bytes, chunk)
      // A placeholder for the sizes of RF64 is always the first chunk.
      case "JUNK": if chunk.offset == 12, chunk.size >= 28, !isBig { places.sizes = chunk.content }
      case "ds64" where chunk.size >= 16:
        if chunk.offset == 12, chunk.size >= 28 { places.sizes = chunk.content }
        let sizes = try bytes.all(at: chunk.content, 16)
        declaredEnd = sizes.number(0, 8, isBig: isBig) &+ 8
        longSize = sizes.number(8, 8, isBig: isBig)
      case "fact": places.fact = chunk.content
      case "data":
        try setData(chunk, bytes)
        declared = PCMHeader.declared(chunk, longSize, bytes.byteCount)
        return
      default: break
      }
    }
    throw bytes.cut(chunks.offset)
  }

  /// The size of WAV's samples. For a pipe, writers leave all ones, nearly the largest signed number, or one of these less
  /// the size of the header.
  private static func declared(
    _ chunk: Chunks.Chunk, _ longSize: Int?, _ byteCount: Int?
  ) -> Length {
    if chunk.size == 0xffff_ffff, let longSize {
      return (0...Chunks.largest).contains(longSize) ? .bytes(longSize) : .unknown
    }
    let mayBeMark = (0x7fff_0000...0x8000_ffff).contains(chunk.size) || chunk.size >= 0xffff_0000
    let isThere = byteCount.map { chunk.content + chunk.size <= $0 } ?? false
    return mayBeMark && !isThere ? .unknown : .bytes(chunk.size)
  }

  private mutating func readW64(_ bytes: HeaderBytes) throws(Failure) {
    var chunks = Chunks(bytes, .w64, from: 40)
    while let chunk = try chunks.next() {
      switch chunk.id {
      case "fmt ": try readFormat(bytes, chunk)
      case "fact": places.fact = chunk.content
      case "data":
        return try setData(chunk, bytes)
      default: break
      }
    }
    throw bytes.cut(chunks.offset)
  }

  /// Reads the structure WAVEFORMATEX or WAVEFORMATEXTENSIBLE.
  private mutating func readFormat(_ bytes: HeaderBytes, _ chunk: Chunks.Chunk) throws(Failure) {
    guard chunk.size >= 16 else { throw bytes.cut(chunk.content) }
    let fields = try bytes.all(at: chunk.content, min(chunk.size, 40))
    func number(_ place: Int, _ width: Int) -> Int { fields.number(place, width, isBig: isBig) }
    isDescribed = true
    var tag = number(0, 2)
    channelCount = number(2, 2)
    sampleRate = Double(number(4, 4))
    frameByteCount = number(12, 2)
    let bits = number(14, 2)
    if tag == 0xfffe, fields.count >= 26 {
      // The tag begins the identifier (GUID), after the channel mask.
      mask = UInt32(truncatingIfNeeded: number(20, 4))
      tag = number(24, 2)
      hasKnownCoding = fields.count < 40 || PCMHeader.identifiers.contains(Array(fields[26..<40]))
    }
    let names = [
      2: "MS ADPCM", 6: "A-law", 7: "µ-law", 0x11: "IMA ADPCM", 0x31: "GSM 6.10", 0x50: "MP2",
      0x55: "MP3",
    ]
    isFloat = tag == 3
    codec = tag == 1 || tag == 3 ? "PCM" : names[tag] ?? "WAV coding \(tag)"
    bitsPerSample = bits > 0 ? bits : nil
  }

  /// The rest of the identifier after its tag: the usual one, and that of ambisonics.
  private static let identifiers: [[UInt8]] = [
    [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71],
    [0, 0, 0x21, 7, 0xd3, 0x11, 0x86, 0x44, 0xc8, 0xc1, 0xca, 0, 0, 0],
  ]

  private mutating func readAIFF(
    _ bytes: HeaderBytes, isCompressed: Bool
  ) throws(Failure) {
    var chunks = Chunks(bytes, .riff(isBig: true), from: 12)
    while let chunk = try chunks.next() {
      if chunk.id == "COMM" {
        guard chunk.size >= 18 else { throw bytes.cut(chunk.content) }
        let fields = try bytes.all(at: chunk.content, min(chunk.size, 22))
        isDescribed = true
        places.common = chunk.content
        channelCount = fields.big(0, 2)
        let bits = fields.big(6, 2)
        bitsPerSample = bits
        frameByteCount = channelCount * ((bits + 7) / 8)
        sampleRate = PCMHeader.extended(fields.dropFirst(8))
        if isCompressed, fields.count >= 22 { setCodec(aiff: fields.text(18)) }
      } else if chunk.id == "SSND" {
        return try setData(chunk, bytes, after: 8 + bytes.all(at: chunk.content, 4).big(0, 4))
      }
    }
    throw bytes.cut(chunks.offset)
  }

  private mutating func setCodec(aiff: String) {
    let names = ["ulaw": "µ-law", "ULAW": "µ-law", "alaw": "A-law", "ALAW": "A-law"]
    isFloat = ["fl32", "FL32", "fl64", "FL64"].contains(aiff)
    let isPlain = isFloat || ["NONE", "sowt", "twos", "in24", "in32"].contains(aiff)
    codec = isPlain ? "PCM" : names[aiff] ?? aiff
    // Writers give the bits of the decoded samples.
    if names[aiff] != nil { frameByteCount = channelCount }
  }

  /// A number with 80 bits (IEEE 754, extended precision).
  private static func extended(_ bytes: ArraySlice<UInt8>) -> Double {
    let fraction = UInt64(bitPattern: Int64(bytes.big(2, 8)))
    return Double(
      sign: .plus, exponent: (bytes.big(0, 2) & 0x7fff) - 16383 - 63, significand: Double(fraction))
  }

  private mutating func readCAF(_ bytes: HeaderBytes) throws(Failure) {
    var chunks = Chunks(bytes, .caf, from: 8)
    while let chunk = try chunks.next() {
      if chunk.id == "desc" {
        let fields = try bytes.all(at: chunk.content, 32)
        isDescribed = true
        sampleRate = Double(bitPattern: UInt64(bitPattern: Int64(fields.big(0, 8))))
        let coding = fields.text(8)
        frameByteCount = fields.big(16, 4)
        channelCount = fields.big(24, 4)
        let bits = fields.big(28, 4)
        bitsPerSample = bits > 0 ? bits : nil
        isFloat = coding == "lpcm" && fields.big(12, 4) & 1 != 0
        codec = coding == "lpcm" ? "PCM" : String(coding.reversed().drop { $0 == " " }.reversed())
      } else if chunk.id == "data" {
        try setData(chunk, bytes, after: 4)
        if chunk.size == -1 { declared = .toEnd }
        return
      }
    }
    throw bytes.cut(chunks.offset)
  }

  private mutating func readAU(_ bytes: HeaderBytes) throws(Failure) {
    let fields = try bytes.all(at: 0, 24)
    func number(_ place: Int) -> Int { fields.number(place, 4, isBig: isBig) }
    dataOffset = number(4)
    let size = number(8)
    let encoding = number(12)
    sampleRate = Double(number(16))
    channelCount = number(20)
    declared = size == 0xffff_ffff ? .toEnd : .bytes(size)
    let bits = [1: 8, 2: 8, 3: 16, 4: 24, 5: 32, 6: 32, 7: 64, 27: 8]
    bitsPerSample = bits[encoding]
    frameByteCount = (bitsPerSample ?? 0) / 8 * min(channelCount, 65535)
    isFloat = encoding == 6 || encoding == 7
    codec =
      encoding == 1
      ? "µ-law" : encoding == 27 ? "A-law" : bits[encoding] == nil ? "AU coding \(encoding)" : "PCM"
    guard dataOffset >= 24 else { throw bytes.cut(24) }
  }

  /// Sets the samples' place and size; `start` bytes of the chunk precede them.
  private mutating func setData(
    _ chunk: Chunks.Chunk, _ bytes: HeaderBytes, after start: Int = 0
  ) throws(Failure) {
    guard isDescribed else { throw HeaderBytes.late(bytes.name) }
    places.data = chunk.offset
    dataOffset = chunk.content + start
    declared = .bytes(min(max(chunk.size, start) - start, Chunks.largest))
  }
}
