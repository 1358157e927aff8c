import FxAudio

/// Reads one region: its piece of the file, forwards or backwards, once or repeatedly.
///
/// Short pieces that repeat, and reversed pieces, are decoded in chunks. Chunks always begin at the
/// same frames, whichever frame is read first.
final class RegionReader: @unchecked Sendable {
  // Sendable: it belongs to the opening thread until another thread takes it.
  /// Its end may move to an earlier frame while it is read.
  var region: ScheduledRegion
  /// The index of the region in the schedule. Regions are summed in this order.
  var order: Int
  private let source: any AudioSource
  /// The source's next frame.
  private var sourcePosition = 0
  private let chunkLength: Int
  /// Whether chunks are reversed, and where the piece begins in the source.
  private let isReversed: Bool
  private let pieceStart: Int
  private var chunk: PlanarBuffer?
  private var chunkNumber = -1
  /// The block that the player reads into.
  let block: PlanarBuffer
  /// Frames that the file declares but does not contain.
  private(set) var missingFrameCount = 0

  /// Repeated pieces up to this length stay decoded.
  private static let keptLength = 1 << 17
  /// Frames that are decoded at a time for reversed playback.
  private static let reversedLength = 1 << 15

  init(
    _ region: ScheduledRegion, order: Int, _ conversion: RateConversion, _ open: RegionOpener
  ) throws(Failure) {
    self.region = region
    self.order = order
    let sound = try open(region.file)
    let isPaced = region.speed != 1 && !region.keepsPitch
    let paced: any AudioSource = isPaced ? PacedSource(sound, region.speed) : sound
    let plain: any AudioSource =
      paced.format.sampleRate == conversion.rate
      ? paced
      : try ResampledSource(paced, to: conversion.rate, quality: conversion.quality)
    if region.keepsPitch {
      // Reversed before the stretching, so that the stretching is continuous.
      let turned: any AudioSource = region.isReversed ? try ReversedSource(plain) : plain
      source = StretchedSource(turned, speed: region.speed)
    } else {
      source = plain
    }
    isReversed = region.isReversed && !region.keepsPitch
    pieceStart =
      region.isReversed && region.keepsPitch
      ? max((source.frameCount ?? 0) - region.pieceStart - region.pieceLength, 0)
      : region.pieceStart
    chunkLength =
      region.isRepeated && region.pieceLength <= Self.keptLength
      ? region.pieceLength
      : isReversed ? min(region.pieceLength, Self.reversedLength) : 0
    block = PlanarBuffer(
      channelCount: source.format.channelCount, frameCount: PlayerSource.blockFrameCount)
  }

  var channelCount: Int { source.format.channelCount }
  var name: String { source.name }

  /// Warnings about the file, after it was read.
  var warnings: [String] {
    let missing =
      missingFrameCount > 0
      ? ["\(missingFrameCount) frames are missing where it is played: silent"] : []
    let omitted =
      region.reportsOmissions && channelCount > region.channels.count
      ? ["only channel 1 of \(channelCount) is played; --mono mixes them"] : []
    return (source.warnings + missing + omitted).map { "\(name): \($0)" }
  }

  /// Reads frames of the region, starting at `first`. Frames that the file lacks are silent.
  func read(
    from first: Int, frameCount: Int, into buffer: PlanarBuffer
  ) throws(Failure) {
    var done = 0
    while done < frameCount {
      let offset = (first + done) % region.pieceLength
      let left = min(frameCount - done, region.pieceLength - offset)
      if chunkLength > 0 {
        done += try copy(from: offset, left, into: buffer, at: done)
      } else {
        try decode(from: pieceStart + offset, left, into: buffer, at: done)
        done += left
      }
    }
  }

  /// Copies from the chunk that contains `offset`. Returns the number of frames.
  private func copy(
    from offset: Int, _ wanted: Int, into buffer: PlanarBuffer, at place: Int
  ) throws(Failure) -> Int {
    let number = offset / chunkLength
    let begin = number * chunkLength
    let length = min(chunkLength, region.pieceLength - begin)
    let chunk = self.chunk ?? PlanarBuffer(channelCount: channelCount, frameCount: chunkLength)
    self.chunk = chunk
    if chunkNumber != number {
      let start = isReversed ? region.pieceLength - begin - length : begin
      try decode(from: pieceStart + start, length, into: chunk, at: 0)
      if isReversed {
        for channel in 0..<channelCount {
          var samples = UnsafeMutableBufferPointer(start: chunk[channel], count: length)
          samples.reverse()
        }
      }
      chunkNumber = number
    }
    let count = min(wanted, begin + length - offset)
    for channel in 0..<channelCount {
      (buffer[channel] + place).update(from: chunk[channel] + (offset - begin), count: count)
    }
    return count
  }

  private func decode(
    from frame: Int, _ frameCount: Int, into buffer: PlanarBuffer, at place: Int
  ) throws(Failure) {
    if sourcePosition != frame {
      try source.seek(toFrame: frame)
      sourcePosition = frame
    }
    let done = try source.fill(buffer, from: place, to: place + frameCount)
    sourcePosition += done
    guard done < frameCount else { return }
    missingFrameCount += frameCount - done
    for channel in 0..<channelCount {
      (buffer[channel] + (place + done)).update(repeating: 0, count: frameCount - done)
    }
  }
}

/// A source that is played at a different speed, by declaring a different sample rate.
private final class PacedSource: ChangedSource {
  let source: any AudioSource
  let format: StreamFormat

  init(_ source: any AudioSource, _ speed: Double) {
    self.source = source
    format = StreamFormat(
      sampleRate: source.format.sampleRate * speed, layout: source.format.layout)
  }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    try source.read(into: channels, frameCount: frameCount)
  }
}
