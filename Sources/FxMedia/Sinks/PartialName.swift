import CRealtime
import FxAudio
import Glibc

/// The name of an incomplete file: `take.partial.wav`, or `take.partial-2.wav` if that exists.
struct PartialName {
  let stem: String
  let end: String

  /// The name for a file that will be called `path` when it is complete.
  init(_ path: String) {
    let (folder, name) = PartialName.split(path)
    let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 }
    end = dot.map { String(name[$0...]) } ?? ""
    var stem = dot.map { name[..<$0] } ?? name[...]
    // A name has 255 bytes at most, and a number may be added.
    while stem.utf8.count + end.utf8.count > 255 - 14, !stem.isEmpty { stem.removeLast() }
    self.stem = folder + stem
  }

  /// Renames a file to the first free partial name, and returns that name.
  func take(_ path: String) throws(Failure) -> String {
    var taken = [CChar](repeating: 0, count: Int(PATH_MAX))
    let code = fx_keep_partial(path, stem, end, &taken, taken.count)
    guard code == 0 else { throw .writing("\(stem).partial\(end)", errno: code) }
    return taken.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }

  /// The folder with its slash, and the file name.
  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
    return (String(path[...slash]), String(path[path.index(after: slash)...]))
  }
}
