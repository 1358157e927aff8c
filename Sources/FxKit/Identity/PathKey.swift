/// A path as a key, compared by its bytes as in the file system. Swift compares strings by
/// characters, whatever the encoding of an accent.
package struct PathKey: Hashable, Comparable, Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  package static func == (first: PathKey, second: PathKey) -> Bool {
    first.path.utf8.elementsEqual(second.path.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var path = path
    path.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  package static func < (first: PathKey, second: PathKey) -> Bool {
    first.path.utf8.lexicographicallyPrecedes(second.path.utf8)
  }
}
