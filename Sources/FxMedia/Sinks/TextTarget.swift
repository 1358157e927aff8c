package import FxAudio

/// A text file beside a sound. It gets its name when the whole text is written.
package final class TextTarget {
  private let target: TargetFile

  /// Opens it, so that a folder that cannot be written is reported before the sound is made.
  package init(_ path: String) throws(Failure) { target = try TargetFile(path: path) }

  /// Writes the text and gives the file its name, or a partial name.
  package func finish(_ text: String, isPartial: Bool) throws(Failure) {
    let drain = ByteDrain(descriptor: target.descriptor, name: target.path, isOwner: false)
    let bytes = Array(text.utf8)
    let count = bytes.withUnsafeBytes { buffer in
      buffer.baseAddress.map { drain.write($0, buffer.count) } ?? 0
    }
    guard count == bytes.count, drain.flush() else { throw drain.error }
    drain.trim()
    if isPartial { _ = try target.keepPartial() } else { try target.commit() }
  }
}
