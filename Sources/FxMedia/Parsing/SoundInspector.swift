package import FxAudio

/// Describes a sound file, if possible without decoding it.
package enum SoundInspector {
  /// The description of a file.
  package struct Finding: Sendable {
    package var properties: SoundProperties
    package var tags: SoundTags
    /// Warnings for the user.
    package var warnings: [String]
  }

  /// The packets that are read when the header does not give everything.
  private static let sampleCount = 64

  /// - Parameters:
  ///   - path: a file, `-` for standard input.
  ///   - raw: the format of a file without a header.
  ///   - isExact: reads every packet, so that lengths are counted. Formats without a packet reader
  ///     are decoded.
  ///   - limits: how long a step may take, and whether the caller still wants the result.
  /// - Throws: `Failure` if the file is not a sound or cannot be read.
  package static func inspect(
    _ path: String, raw: RawFormat? = nil, isExact: Bool, _ limits: OpeningLimits = OpeningLimits()
  ) throws(Failure) -> Finding {
    let monitor = OpeningMonitor()
    return try limits.call(monitor) { () throws(Failure) in
      try inspect(ByteReader(try FileSource.byteStream(path, monitor)), raw, isExact, monitor)
    } givingUp: {
      limits.failure(path, $0, monitor)
    }
  }

  private static func inspect(
    _ reader: ByteReader, _ raw: RawFormat?, _ isExact: Bool, _ monitor: OpeningMonitor
  ) throws(Failure) -> Finding {
    if let raw { return try described(reader, raw, isExact, monitor) }
    let kind = try DecoderCatalogue.kind(of: reader)
    var finding: Finding
    if let walk = kind.walk {
      finding = try walked(reader, walk, isExact, monitor)
      try correct(&finding, reader, kind)
    } else {
      finding = try decoded(reader, kind, isExact, monitor)
    }
    if let format = kind.tagFormat, reader.isSeekable, reader.seek(to: 0) {
      finding.tags = TagReading.tags(reader, format)
      finding.warnings += finding.tags.warning.map { [$0] } ?? []
    }
    return finding
  }

  /// The tags of a file. Empty if it has none, cannot be read or is not a regular file.
  package static func tags(of path: String) -> SoundTags {
    guard path != "-", isRegularFile(path), let stream = try? FileSource.byteStream(path) else {
      return SoundTags()
    }
    if let sheet = try? CueFiles.read(path) { return (try? sheet.tags()) ?? SoundTags() }
    let reader = ByteReader(stream)
    guard let format = try? DecoderCatalogue.kind(of: reader).tagFormat, reader.seek(to: 0) else {
      return SoundTags()
    }
    return TagReading.tags(reader, format)
  }

  /// The chapters of a sound file; nil for a file that is no sound with tags.
  package static func chapters(ofSound path: String) -> [SoundTags.Chapter]? {
    guard isRegularFile(path), let stream = try? FileSource.byteStream(path),
      let kind = try? DecoderCatalogue.kind(of: ByteReader(stream)), kind.tagFormat != nil
    else { return nil }
    return tags(of: path).chapters
  }

  /// Takes the length from the reader that plays the sound, where opening it is cheap, and the
  /// channel layout that only the decoder reads: from a comment of FLAC, or a chunk of CAF and AIFF.
  private static func correct(
    _ finding: inout Finding, _ reader: ByteReader, _ kind: DecoderKind
  ) throws(Failure) {
    guard !kind.isForeign, reader.isLocal, reader.seek(to: 0),
      let source = try? FileSource.open(reader, kind), let rate = finding.properties.sampleRate
    else { return }
    finding.warnings = source.warnings + finding.warnings
    let container = finding.properties.container
    if ["FLAC", "CAF", "AIFF"].contains(container), let count = finding.properties.channelCount,
      count > 2, case let format = source.format, format.channelCount == count
    {
      finding.properties.layout = format.layout.isNamed ? "\(format.layout)" : nil
    }
    // Opus may be played at a lower rate than that of its packets.
    guard let frames = source.frameCount,
      case let count = Int((Double(frames) * rate / source.format.sampleRate).rounded()),
      count != finding.properties.frameCount?.count
    else { return }
    finding.properties.frameCount = .init(
      count: count,
      certainty: finding.properties.frameCount?.certainty == .exact ? .exact : .declared)
    guard let size = finding.properties.byteCount, container == "Ogg" else { return }
    let mean = OggWalker.meanBitRate(bytes: size, frames: count, rate: rate)
    finding.properties.bitRate = mean.map { .init(value: $0, kind: .variable) }
  }

  private static func walked(
    _ reader: ByteReader,
    _ walk: @Sendable (ByteReader) throws(Failure) -> any PacketWalker, _ isExact: Bool,
    _ monitor: OpeningMonitor
  ) throws(Failure) -> Finding {
    let walker = try walk(reader)
    var count = 0
    var isKnown: Bool {
      walker.properties.frameCount != nil && walker.properties.bitRate != nil
        && walker.properties.dataOffset != nil
    }
    // Even if the header declares the bit rate, some packets show whether it is constant.
    while isExact || count < sampleCount && (!isKnown || count < 8 || walker is MPEGWalker) {
      if case .end = try walker.next() { break }
      count += 1
      if count % 4096 == 0, monitor.isGivenUp {
        throw Failure(.interrupted, reader.name, "reading was stopped")
      }
    }
    var warnings: [String] = []
    if isExact, walker.properties.discontinuityCount > 0 {
      let places = walker.properties.discontinuityCount
      warnings.append(
        "\(places) \(places == 1 ? "place is" : "places are") damaged or lack packets")
    }
    return Finding(properties: walker.properties, tags: SoundTags(), warnings: warnings)
  }

  private static func decoded(
    _ reader: ByteReader, _ kind: DecoderKind, _ isExact: Bool, _ monitor: OpeningMonitor
  ) throws(Failure) -> Finding {
    let size = reader.byteCount
    let source = try FileSource.open(reader, kind)
    var properties = SoundProperties(kind.name)
    properties.byteCount = size
    properties.frameCount = source.frameCount.map { .init(count: $0, certainty: .declared) }
    guard isExact else {
      properties.take(source.format)
      return Finding(properties: properties, tags: SoundTags(), warnings: [])
    }
    return try counted(source, properties, monitor)
  }

  /// Describes samples without a header.
  private static func described(
    _ reader: ByteReader, _ raw: RawFormat, _ isExact: Bool, _ monitor: OpeningMonitor
  ) throws(Failure) -> Finding {
    let size = reader.byteCount
    let source = try RawSource(reader, raw)
    var properties = SoundProperties("raw", codec: raw.coding.codec)
    properties.take(source.format)
    properties.bitsPerSample = 8 * raw.coding.byteCount
    properties.isFloat = raw.coding.isFloat
    properties.bitRate = .init(
      value: Double(8 * raw.frameByteCount * raw.sampleRate), kind: .constant)
    properties.byteCount = size
    properties.dataOffset = raw.offset
    properties.framesPerPacket = 1
    properties.frameCount = source.frameCount.map { .init(count: $0, certainty: .exact) }
    guard isExact, source.frameCount == nil else {
      return Finding(properties: properties, tags: SoundTags(), warnings: source.warnings)
    }
    return try counted(source, properties, monitor)
  }

  /// Decodes a sound to count its frames.
  private static func counted(
    _ source: any AudioSource, _ known: SoundProperties, _ monitor: OpeningMonitor
  ) throws(Failure) -> Finding {
    var properties = known
    properties.take(source.format)
    var count = 0
    try source.readBlocks { _, read throws(Failure) in
      count += read
      monitor.noteRead()
      if monitor.isGivenUp { throw Failure(.interrupted, source.name, "reading was stopped") }
      return true
    }
    properties.frameCount = .init(count: count, certainty: .exact)
    return Finding(properties: properties, tags: SoundTags(), warnings: source.warnings)
  }
}

extension RawFormat.Coding {
  fileprivate var codec: String {
    switch self {
    case .alaw: "A-law"
    case .ulaw: "µ-law"
    default: "PCM"
    }
  }
}
