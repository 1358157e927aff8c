import CLibMD
import FxChain
import Glibc

/// SHA-256 (FIPS 180-4) in hexadecimal, as `sha256sum` prints it.
package enum SHA256 {
  package static func digest(of bytes: [UInt8]) -> String {
    digest { context in
      bytes.withUnsafeBytes { SHA256Update(&context, $0.baseAddress, $0.count) }
    }
  }

  package static func digest(of text: String) -> String { digest(of: Array(text.utf8)) }

  /// The digest of a file's bytes, or of a folder's file names and digests, sorted by name. nil if
  /// it cannot be read.
  package static func digest(ofFile path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    if status.st_mode & S_IFMT == S_IFDIR { return digest(ofFolder: path) }
    // A pipe would wait for a writer, and a device may have no end.
    guard status.st_mode & S_IFMT == S_IFREG, let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var isWhole = true
    let digest = digest { context in
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = fread(&buffer, 1, buffer.count, file)
        SHA256Update(&context, buffer, count)
        guard count == buffer.count else { break }
      }
      isWhole = ferror(file) == 0
    }
    return isWhole ? digest : nil
  }

  private static func digest(ofFolder path: String) -> String? {
    guard let names = fileNames(in: path) else { return nil }
    let parts = names.map { "\($0) \(digest(ofFile: "\(path)/\($0)") ?? "")\n" }
    return digest(of: parts.joined())
  }

  private static func digest(_ fill: (inout SHA2_CTX) -> Void) -> String {
    var context = SHA2_CTX()
    SHA256Init(&context)
    fill(&context)
    var bytes = [UInt8](repeating: 0, count: 32)
    SHA256Final(&bytes, &context)
    return bytes.map { byte in
      let text = String(byte, radix: 16)
      return byte < 16 ? "0" + text : text
    }.joined()
  }
}
