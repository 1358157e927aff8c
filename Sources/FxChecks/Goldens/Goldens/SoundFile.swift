import FxAudio
import FxEngine
package import FxKit
import FxMedia

extension Sound {
  /// The most samples that are read from a file: an hour and a half of stereo at 48 kHz, 2 GiB.
  package static let largestSampleCount = 1 << 29

  /// Reads a sound file of any format that fxrun supports.
  ///
  /// - Throws: `ChainFailure` of kind `input`.
  package init(contentsOfFile path: String) throws(ChainFailure) {
    var warnings: [String] = []
    try self.init(contentsOfFile: path, warnings: &warnings)
  }

  /// Reads a sound file and adds its reader's warnings, such as a truncated file.
  ///
  /// - Parameter raw: the format of a file without a header: `s16le,48000,2`.
  /// - Throws: `ChainFailure` of kind `input`.
  package init(
    contentsOfFile path: String, raw: String? = nil, warnings: inout [String]
  ) throws(ChainFailure) {
    let raw = try raw.map { text throws(ChainFailure) in try RawFormat(asked: text) }
    do throws(Failure) {
      let source = try FileSource.open(path, raw: raw, within: OpeningLimits())
      self.init(channels: [], sampleRate: source.format.sampleRate)
      channels = try Self.channels(of: source, path)
      warnings += source.warnings.map { "\(path): \($0)" }
    } catch {
      throw ChainFailure(error, .input)
    }
  }

  private static func channels(
    of source: any AudioSource, _ path: String
  ) throws(Failure) -> [[Float]] {
    let count = source.format.channelCount
    var channels = [[Float]](repeating: [], count: count)
    if let frames = source.frameCount {
      guard frames <= largestSampleCount / max(count, 1) else { throw tooLong(path) }
      for channel in channels.indices { channels[channel].reserveCapacity(frames) }
    }
    try pieces(of: source) { channel, samples throws(Failure) in
      channels[channel].append(contentsOf: samples)
      guard channels[channel].count * count <= largestSampleCount else { throw tooLong(path) }
    }
    return channels
  }

  /// Passes on all samples of a source, piece by piece, each with its channel.
  private static func pieces(
    of source: any AudioSource,
    _ take: (Int, UnsafeBufferPointer<Float>) throws(Failure) -> Void
  ) throws(Failure) {
    let (count, piece) = (source.format.channelCount, 1 << 14)
    let rows = (0..<count).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: piece) }
    defer { for row in rows { row.deallocate() } }
    while true {
      let frameCount = try rows.withUnsafeBufferPointer { rows throws(Failure) in
        try rows.baseAddress.map { rows throws(Failure) in
          try source.read(into: rows, frameCount: piece)
        } ?? 0
      }
      guard frameCount > 0 else { return }
      for channel in 0..<count {
        try take(
          channel, UnsafeBufferPointer(start: UnsafePointer(rows[channel]), count: frameCount))
      }
    }
  }

  /// Reads the shape and digest of a sound file piece by piece, without keeping its samples.
  ///
  /// - Throws: `ChainFailure` of kind `input`.
  static func look(atFile path: String, beside rendered: Sound) throws(ChainFailure) -> SoundLook {
    do throws(Failure) {
      let source = try FileSource.open(path, within: OpeningLimits())
      var look = SoundLook(
        channelCount: source.format.channelCount, sampleRate: source.format.sampleRate)
      try pieces(of: source) { channel, samples throws(Failure) in
        look.add(samples, to: channel, beside: rendered)
      }
      return look
    } catch {
      throw ChainFailure(error, .input)
    }
  }

  private static func tooLong(_ path: String) -> Failure {
    Failure(
      .unsupportedFormat, path,
      "this is too long to be compared in memory (an hour and a half of stereo at 48 kHz is the "
        + "most); cut both files into parts first")
  }

  /// Writes a sound file in the format of its name's ending: float samples if the format supports
  /// them, like WAV, otherwise 24 bits, like FLAC. The file appears complete or not at all.
  ///
  /// - Throws: `ChainFailure` of kind `output`.
  package func write(toFile path: String) throws(ChainFailure) {
    try WholeFile.makeFolder(of: path)
    let depth: FileEncoding.Depth = FileFormat(path: path) == .flac ? .int24 : .float32
    FileSink.removeStale(path)
    do throws(Failure) {
      let sink = try FileSink.create(
        path, format: streamFormat, encoding: FileEncoding(depth: depth, isDithered: false))
      do throws(Failure) {
        try write(to: sink)
        try sink.complete()
        try sink.finish()
      } catch {
        _ = try? sink.abandon(keepingPartial: false)
        throw error
      }
    } catch {
      throw ChainFailure(error, .output)
    }
  }

  var streamFormat: StreamFormat {
    StreamFormat(sampleRate: sampleRate, channelCount: channelCount)
  }

  /// Writes all frames into a sink and leaves it open.
  func write(to sink: FileSink) throws(Failure) {
    let piece = 1 << 14
    var frame = 0
    while frame < frameCount {
      let count = min(piece, frameCount - frame)
      let rows = channels.map { channel in
        let row = UnsafeMutablePointer<Float>.allocate(capacity: count)
        for index in 0..<count { row[index] = channel[frame + index] }
        return UnsafePointer(row)
      }
      defer { for row in rows { row.deallocate() } }
      try rows.withUnsafeBufferPointer { rows throws(Failure) in
        if let base = rows.baseAddress { try sink.write(base, frameCount: count) }
      }
      frame += count
    }
  }
}
