import CSndFile
import Glibc

/// What libsndfile writes, on its way to a file.
final class EncodedOutput {
  private let drain: ByteDrain
  private var pages: OggPageStamp?

  /// - Parameter hasPages: for Ogg, whose streams get a number that is the same in every render.
  init(_ drain: ByteDrain, hasPages: Bool) {
    self.drain = drain
    pages = hasPages ? OggPageStamp() : nil
  }

  /// Writes what has been held back. False after a failure.
  func finish() -> Bool { pages.map { drain.write($0.rest) } ?? true }

  private func write(_ source: UnsafeRawPointer, _ count: Int) -> Int {
    guard pages != nil else { return drain.write(source, count) }
    pages?.add(UnsafeRawBufferPointer(start: source, count: count))
    while let page = pages?.next() {
      guard drain.write(page) else { return 0 }
    }
    return count
  }

  static let callbacks = SF_VIRTUAL_IO(
    get_filelen: { context in
      guard let drain = output(context)?.drain else { return -1 }
      let position = drain.seek(0, SEEK_CUR)
      let end = drain.seek(0, SEEK_END)
      _ = drain.seek(position, SEEK_SET)
      return sf_count_t(end)
    },
    seek: { offset, origin, context in
      sf_count_t(output(context)?.drain.seek(Int(offset), origin) ?? -1)
    },
    read: { target, count, context in
      guard let drain = output(context)?.drain, let target else { return 0 }
      return sf_count_t(drain.read(target, Int(count)))
    },
    write: { source, count, context in
      guard let output = output(context), let source else { return 0 }
      return sf_count_t(output.write(source, Int(count)))
    },
    tell: { context in sf_count_t(output(context)?.drain.seek(0, SEEK_CUR) ?? -1) })

  private static func output(_ context: UnsafeMutableRawPointer?) -> EncodedOutput? {
    context.map { Unmanaged<EncodedOutput>.fromOpaque($0).takeUnretainedValue() }
  }
}

/// Gives every page of an Ogg stream (RFC 3533) the same number of the stream, where encoders draw one
/// by chance: equal renders make equal files.
struct OggPageStamp {
  private static let serial: [UInt8] = Array("fxrn".utf8)
  private var held: [UInt8] = []

  mutating func add(_ bytes: UnsafeRawBufferPointer) { held += bytes }

  /// The next whole page; nil where more is needed.
  mutating func next() -> [UInt8]? {
    guard held.count >= 27, held.starts(with: "OggS".utf8) else { return nil }
    let body = 27 + Int(held[26])
    guard held.count >= body else { return nil }
    let size = body + held[27..<body].reduce(0) { $0 + Int($1) }
    guard held.count >= size else { return nil }
    var page = Array(held[..<size])
    held.removeFirst(size)
    page.replaceSubrange(14..<18, with: OggPageStamp.serial)
    page.replaceSubrange(22..<26, with: [0, 0, 0, 0])
    page.replaceSubrange(
      22..<26, with: FilePatch.little(0, Int(CyclicSum.oggPage(page)), 4).bytes)
    return page
  }

  /// What is no whole page.
  var rest: [UInt8] { held }
}
