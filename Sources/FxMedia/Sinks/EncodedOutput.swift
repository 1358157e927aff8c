import CSndFile
import Glibc

/// The output of libsndfile, on its way to a file or a pipe.
final class EncodedOutput {
  private let drain: ByteDrain
  private var pages: OggPageStamp?
  /// For a pipe: the encoder's position, and the end of what it has written.
  private var place = 0
  private var end = 0

  /// - Parameter pages: for Ogg, to give the streams the same serial number in every render.
  init(_ drain: ByteDrain, pages: OggPageStamp? = nil) {
    self.drain = drain
    self.pages = pages
  }

  /// Writes the bytes that were held back. False after an error.
  func finish() -> Bool {
    pages.map { drain.write($0.rest) } ?? true
  }

  private func write(_ source: UnsafeRawPointer, _ count: Int) -> Int {
    if !drain.isSeekable {
      // In a pipe an encoder cannot seek back to complete its header: these bytes are ignored.
      defer { place += count }
      guard place == end else { return count }
      end += count
    }
    let bytes = UnsafeRawBufferPointer(start: source, count: count)
    if pages != nil {
      pages?.add(bytes)
      while let page = pages?.next() {
        guard drain.write(page) else { return 0 }
      }
      return count
    }
    return drain.write(source, count)
  }

  private func seek(_ offset: Int, _ origin: Int32) -> Int {
    guard !drain.isSeekable else { return drain.seek(offset, origin) }
    place = offset + (origin == SEEK_CUR ? place : origin == SEEK_END ? end : 0)
    return place
  }

  private var byteCount: Int {
    guard drain.isSeekable else { return end }
    let position = drain.seek(0, SEEK_CUR)
    let end = drain.seek(0, SEEK_END)
    _ = drain.seek(position, SEEK_SET)
    return end
  }

  static let callbacks = SF_VIRTUAL_IO(
    get_filelen: { context in sf_count_t(output(context)?.byteCount ?? -1) },
    seek: { offset, origin, context in
      sf_count_t(output(context)?.seek(Int(offset), origin) ?? -1)
    },
    read: { target, count, context in
      guard let drain = output(context)?.drain, let target else { return 0 }
      return sf_count_t(drain.read(target, Int(count)))
    },
    write: { source, count, context in
      guard let output = output(context), let source else { return 0 }
      return sf_count_t(output.write(source, Int(count)))
    },
    tell: { context in sf_count_t(output(context)?.seek(0, SEEK_CUR) ?? -1) })

  private static func output(_ context: UnsafeMutableRawPointer?) -> EncodedOutput? {
    context.map { Unmanaged<EncodedOutput>.fromOpaque($0).takeUnretainedValue() }
  }
}
