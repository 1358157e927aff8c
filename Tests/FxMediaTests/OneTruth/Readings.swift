import FxAudio
@testable import FxMedia
import FxSoundTestSupport

/// One way to read a sound, and its result.
struct Reading {
  let way: String
  /// nil after an error.
  var channels: [[Float]]?
  var sampleRate = 0.0
  /// The length that the source declared when it was opened.
  var declared: Int?
  var warnings: [String] = []
  var error: String?

  var frameCount: Int { channels?.first?.count ?? 0 }

  /// Why two readings of the same bytes contradict each other in silence; nil if they do not. The
  /// reading that lost something has to say so, by a warning or an error.
  func contradiction(_ other: Reading) -> String? {
    if error != nil || other.error != nil { return nil }
    guard sampleRate == other.sampleRate, channels?.count == other.channels?.count else {
      return warnings + other.warnings == [] ? "\(way) and \(other.way): different formats" : nil
    }
    guard channels != other.channels else { return nil }
    if frameCount == other.frameCount {
      let difference = zip(channels ?? [], other.channels ?? []).map {
        zip($0, $1).map { abs($0 - $1) }.max() ?? 0
      }
      // A conversion of the rate rounds in its own blocks.
      guard difference.contains(where: { !($0 < 1e-6) }) else { return nil }
      guard warnings.isEmpty, other.warnings.isEmpty else { return nil }
      let place = zip(channels?.first ?? [], other.channels?.first ?? []).enumerated()
        .first { $1.0 != $1.1 }?.offset
      return "\(way) and \(other.way): different samples from frame \(place ?? -1) on"
    }
    let shorter = frameCount < other.frameCount ? self : other
    let longer = frameCount < other.frameCount ? other : self
    return shorter.warnings.isEmpty
      ? "\(shorter.way) has \(shorter.frameCount) frames, \(longer.way) \(longer.frameCount)" : nil
  }
}

/// All ways to read the bytes of a sound.
enum Readings {
  /// Bytes of a server: every seek is a request.
  private final class Server: ByteStream {
    let name = "server"
    private let memory: MemoryStream
    private let isSeekable: Bool
    init(_ bytes: [UInt8], isSeekable: Bool) {
      memory = MemoryStream(bytes, name: "server")
      self.isSeekable = isSeekable
    }
    var byteCount: Int? { isSeekable ? memory.byteCount : nil }
    var isCostly: Bool { true }
    func seek(to offset: Int) -> Bool { isSeekable && memory.seek(to: offset) }
    func read(_ target: UnsafeMutableRawPointer, _ count: Int) -> Int {
      memory.read(target, min(count, 1460))
    }
  }

  /// The contradictions between all ways to read a file.
  ///
  /// - Parameter least: the frames that it has at least.
  static func contradictions(_ path: String, least: Int) -> [String] {
    let bytes = contents(path)
    let whole = reading("the file") { () throws(Failure) -> any AudioSource in
      try FileSource.open(path)
    }
    let others = [
      reading("a pipe") { () throws(Failure) -> any AudioSource in
        try FileSource.open(Server(bytes, isSeekable: false))
      },
      reading("a server with ranges") { () throws(Failure) -> any AudioSource in
        try FileSource.open(Server(bytes, isSeekable: true))
      },
    ]
    var found = others.compactMap(whole.contradiction) + packets(bytes, others[0])
    for reading in [whole] + others where reading.error == nil {
      // The tag of MPEG audio may count a frame more or less; a file is counted.
      let tolerance = reading.way == whole.way ? 0 : 1152
      if let declared = reading.declared, reading.warnings.isEmpty,
        abs(declared - reading.frameCount) > tolerance
      {
        found.append("\(reading.way) declares \(declared) frames and has \(reading.frameCount)")
      }
    }
    guard whole.error == nil else { return found }
    // MPEG audio has some frames more or less.
    if whole.warnings.isEmpty, whole.frameCount < least - 4 {
      found.append("the file has \(whole.frameCount) frames, its sounds \(least)")
    }
    found += seeks(path, whole)
    found += ranges(bytes, whole)
    found += backwards(path, whole)
    found += inspection(path, whole)
    return found
  }

  /// The packets of a pipe give the length that decoding gives.
  private static func packets(_ bytes: [UInt8], _ pipe: Reading) -> [String] {
    let reader = ByteReader(Server(bytes, isSeekable: false))
    guard pipe.error == nil, pipe.warnings.isEmpty,
      let walker = try? DecoderCatalogue.kind(of: reader).walk?(reader)
    else { return [] }
    do {
      while true {
        if case .end = try walker.next() { break }
      }
    } catch {
      return ["the packets of a pipe: \(error)"]
    }
    guard let length = walker.properties.frameCount, let rate = walker.properties.sampleRate,
      walker.properties.discontinuityCount == 0
    else { return [] }
    let count = Int((Double(length.count) * pipe.sampleRate / rate).rounded())
    return count == pipe.frameCount
      ? [] : ["the packets of a pipe have \(count) frames, its sound \(pipe.frameCount)"]
  }

  private static func reading(
    _ way: String, from frame: Int = 0, _ open: () throws(Failure) -> any AudioSource
  ) -> Reading {
    var reading = Reading(way: way)
    do {
      let source = try open()
      reading.declared = source.frameCount
      reading.sampleRate = source.format.sampleRate
      if frame > 0 { try source.seek(toFrame: frame) }
      reading.channels = try readAll(source)
      reading.warnings = source.warnings
      // The programs that read it report an error.
      if reading.frameCount == 0 { reading.error = "no sound" }
    } catch {
      reading.error = "\(error)"
    }
    return reading
  }

  private static func places(_ whole: Reading) -> [Int] {
    let length = whole.frameCount
    return Array(
      Set([1, length / 3, length * 9 / 10, length - 1]).filter { 0 < $0 && $0 < length }
    )
    .sorted()
  }

  /// The rest after a seek is the rest of the whole.
  private static func seeks(_ path: String, _ whole: Reading) -> [String] {
    places(whole).compactMap { place in
      var rest = whole
      rest.channels = whole.channels?.map { Array($0[place...]) }
      let found = reading("the file from frame \(place) on", from: place) {
        () throws(Failure) -> any AudioSource in
        try FileSource.open(path)
      }
      guard found.error == nil else { return whole.warnings.isEmpty ? found.error : nil }
      return rest.contradiction(found)
    }
  }

  private static func ranges(_ bytes: [UInt8], _ whole: Reading) -> [String] {
    places(whole).suffix(1).compactMap { place in
      var rest = whole
      rest.channels = whole.channels?.map { Array($0[place...]) }
      return rest.contradiction(
        reading("a server from frame \(place) on", from: place) {
          () throws(Failure) -> any AudioSource in
          try FileSource.open(Server(bytes, isSeekable: true))
        })
    }
  }

  private static func backwards(_ path: String, _ whole: Reading) -> [String] {
    var turned = whole
    turned.channels = whole.channels?.map { $0.reversed() }
    let found = reading("the reversed file") { () throws(Failure) -> any AudioSource in
      try ReversedSource(try FileSource.open(path))
    }
    var contradictions = [turned.contradiction(found)].compactMap(\.self)
    if let file = try? RegionFile(try FileSource.open(path)), file.frameCount != whole.frameCount,
      whole.warnings.isEmpty
    {
      contradictions.append(
        "a region of the file has \(file.frameCount) frames, the file \(whole.frameCount)")
    }
    return contradictions
  }

  private static func inspection(_ path: String, _ whole: Reading) -> [String] {
    var found: [String] = []
    for isExact in [true, false] {
      guard let finding = try? SoundInspector.inspect(path, isExact: isExact),
        let length = finding.properties.frameCount, length.certainty != .estimated,
        let rate = finding.properties.sampleRate
      else { continue }
      // Opus may be played at the rate of the sound that was encoded.
      let count = Int((Double(length.count) * whole.sampleRate / rate).rounded())
      if count != whole.frameCount, whole.warnings + finding.warnings == [] {
        found.append(
          "info\(isExact ? " --exact" : "") says \(count) frames, the file has \(whole.frameCount)")
      }
    }
    return found
  }
}
