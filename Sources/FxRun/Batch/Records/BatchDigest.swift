import CXXHash
import Glibc

/// XXH3 with 128 bits, printed like `xxhsum -H2`. It is as fast as reading the file.
enum BatchDigest {
  /// The digest of an input; of one that names others, of all their digests.
  static func digest(of file: BatchFile) -> String? {
    guard let own = digest(ofFile: file.path) else { return nil }
    let named = file.named
    guard !named.isEmpty else { return own }
    let all = ([own] + named.map { digest(ofFile: $0) ?? "none" }).joined(separator: " ")
    let bytes = Array(all.utf8)
    return text(XXH3_128bits(bytes, bytes.count))
  }

  /// The digest of a file's bytes; nil if it cannot be read or is not a regular file.
  package static func digest(ofFile path: String) -> String? {
    // A pipe would wait for a writer, and a device may have no end.
    guard InputStamp.size(ofFile: path) != nil else { return nil }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0, let state = XXH3_createState() else {
      if descriptor >= 0 { close(descriptor) }
      return nil
    }
    defer {
      close(descriptor)
      XXH3_freeState(state)
    }
    XXH3_128bits_reset(state)
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { return text(XXH3_128bits_digest(state)) }
      if count < 0 {
        guard errno == EINTR else { return nil }
        continue
      }
      XXH3_128bits_update(state, buffer, count)
    }
  }

  /// A number with an even distribution over texts.
  package static func number(of text: String) -> UInt64 {
    let bytes = Array(text.utf8)
    return XXH3_64bits(bytes, bytes.count)
  }

  private static func text(_ hash: XXH128_hash_t) -> String {
    [hash.high64, hash.low64].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
