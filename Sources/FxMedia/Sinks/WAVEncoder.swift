import FxAudio
import Glibc

/// Writes WAV, and RF64 (EBU Tech 3306) when the sizes exceed the limits of WAV. The lengths in the
/// header are updated regularly and at the end. In a pipe they keep the values that mean "unknown".
final class WAVEncoder: SampleEncoder {
  private let drain: ByteDrain
  private let format: StreamFormat
  private var converter: SampleConverter
  private let block: UnsafeMutableRawPointer
  private let hasReserve: Bool
  private var headerLength = 0
  private var frameCount = 0
  private static let blockFrameCount = 4096

  let failureMessage: String? = nil

  /// Without an expected length, or with a large one, 36 bytes are reserved for RF64's sizes.
  init(
    _ drain: ByteDrain, _ format: StreamFormat, _ converter: SampleConverter,
    expectedFrameCount: Int?
  ) {
    self.drain = drain
    self.format = format
    self.converter = converter
    let expected = expectedFrameCount.map {
      $0.multipliedReportingOverflow(by: converter.layout.byteCount * format.channelCount)
    }
    hasReserve =
      drain.isSeekable && (expected.map { $0.overflow || $0.partialValue > 1 << 31 } ?? true)
    block = .allocate(
      byteCount: WAVEncoder.blockFrameCount * format.channelCount * converter.layout.byteCount,
      alignment: 64)
    let header = makeHeader()
    headerLength = header.count
    _ = drain.write(header)
  }

  deinit { block.deallocate() }

  func write(_ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int) -> Bool {
    var done = 0
    let bytesPerFrame = converter.layout.byteCount * format.channelCount
    return withUnsafeTemporaryAllocation(
      of: UnsafePointer<Float>.self, capacity: format.channelCount
    ) { views in
      guard let table = views.baseAddress else { return false }
      while done < frameCount {
        let count = min(frameCount - done, WAVEncoder.blockFrameCount)
        for channel in 0..<format.channelCount {
          (table + channel).initialize(to: channels[channel] + done)
        }
        let size = count * bytesPerFrame
        let room = drain.room(size)
        converter.convert(table, frameCount: count, to: room ?? block)
        if room != nil {
          drain.advance(size)
        } else {
          guard drain.write(block, size) == size else { return false }
        }
        done += count
        self.frameCount += count
      }
      return true
    }
  }

  /// Leaves a hole in the file, which reads as silence.
  func skip(frameCount: Int) {
    let size = frameCount * format.channelCount * converter.layout.byteCount
    let end = drain.seek(size, SEEK_CUR)
    if end >= 0, ftruncate(drain.descriptor, end) == 0 { self.frameCount += frameCount }
  }

  func finish() -> Bool {
    if dataSize % 2 == 1 { _ = drain.write([0]) }
    guard drain.isSeekable else { return drain.flush() }
    guard drain.seek(0, SEEK_SET) == 0 else { return false }
    guard drain.write(makeHeader()) else { return false }
    return drain.seek(0, SEEK_END) >= 0
  }

  func refresh() -> Bool {
    guard drain.isSeekable else { return true }
    return drain.flush() && FilePatch(0, makeHeader()).write(to: drain.descriptor)
  }

  /// The header already exists and is only rewritten, so this needs no disk space.
  func salvage() -> Bool {
    guard let end = drain.forgive() else { return false }
    let bytesPerFrame = format.channelCount * converter.layout.byteCount
    frameCount = min(frameCount, max(end - headerLength, 0) / bytesPerFrame)
    let length = headerLength + dataSize
    guard frameCount > 0, drain.seek(length, SEEK_SET) == length,
      ftruncate(drain.descriptor, length) == 0
    else { return false }
    return finish()
  }

  private var dataSize: Int {
    frameCount * format.channelCount * converter.layout.byteCount
  }

  private func makeHeader() -> [UInt8] {
    var bytes: [UInt8] = []
    func text(_ string: String) { bytes.append(contentsOf: string.utf8) }
    func number(_ value: Int, _ count: Int) {
      for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
    let isFloat = converter.layout == .float32 || converter.layout == .float64
    let width = converter.layout.byteCount
    let isExtensible = format.channelCount > 2 || format.layout != .usual(format.channelCount)
    let formatLength = isExtensible ? 40 : isFloat ? 18 : 16
    let length =
      12 + (hasReserve ? 36 : 0) + 8 + formatLength + (isFloat ? 12 : 0) + 8
    let riffSize = length - 8 + dataSize + dataSize % 2
    let isLong = hasReserve && riffSize > 0xffff_ffff
    let isUnknown = !drain.isSeekable
    let unknown = 0xffff_ffff
    text(isLong ? "RF64" : "RIFF")
    number(isUnknown || isLong ? unknown : min(riffSize, unknown), 4)
    text("WAVE")
    if hasReserve {
      text(isLong ? "ds64" : "JUNK")
      number(28, 4)
      number(isLong ? riffSize : 0, 8)
      number(isLong ? dataSize : 0, 8)
      number(isLong ? frameCount : 0, 8)
      number(0, 4)
    }
    text("fmt ")
    number(formatLength, 4)
    let tag = isFloat ? 3 : 1
    number(isExtensible ? 0xfffe : tag, 2)
    number(format.channelCount, 2)
    number(rate, 4)
    number(rate * width * format.channelCount, 4)
    number(width * format.channelCount, 2)
    number(width * 8, 2)
    if isExtensible {
      number(22, 2)
      number(width * 8, 2)
      number(Int(format.layout.mask), 4)
      number(tag, 2)
      bytes.append(contentsOf: [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71])
    } else if isFloat {
      number(0, 2)
    }
    if isFloat {
      text("fact")
      number(4, 4)
      number(isUnknown ? unknown : min(frameCount, unknown), 4)
    }
    text("data")
    number(isUnknown || isLong ? unknown : min(dataSize, unknown), 4)
    return bytes
  }

  private var rate: Int { max(1, min(Int(format.sampleRate.rounded()), 0xffff_ffff)) }
}
