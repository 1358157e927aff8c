import CRealtime
import Glibc
import Synchronization

/// The hidden names of files that are being written: `.take.wav.4711`.
enum HiddenFiles {
  private struct Listing {
    let time: Double
    let names: [String]
  }

  /// By folder.
  private static let listings = Mutex<[String: Listing]>([:])
  /// Seconds after which a folder is read again. A batch asks once per file; without the cache it
  /// would list all its outputs each time.
  private static let patience = 5.0
  private static let mostListings = 64

  /// The hidden names in a folder, unordered.
  ///
  /// - Parameter isFresh: true reads the folder again, even if it was read a moment ago.
  static func names(
    in folder: String, isFresh: Bool, patience: Double = patience
  ) -> [String] {
    let now = fx_monotonic_seconds()
    if !isFresh, let listing = listings.withLock({ $0[folder] }), now - listing.time < patience {
      return listing.names
    }
    let names = read(folder.isEmpty ? "." : folder)
    listings.withLock { listings in
      if listings.count >= mostListings { listings.removeAll() }
      listings[folder] = Listing(time: now, names: names)
    }
    return names
  }

  private static func read(_ folder: String) -> [String] {
    guard let listing = opendir(folder) else { return [] }
    defer { closedir(listing) }
    var found: [String] = []
    while let entry = readdir(listing) {
      withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { name in
          // Most names are other files: hidden names begin with a dot and end with a digit.
          let length = strlen(name)
          guard length > 2, name[0] == 0x2e, (0x30...0x39).contains(name[length - 1]) else {
            return
          }
          found.append(String(cString: name))
        }
      }
    }
    return found
  }
}
