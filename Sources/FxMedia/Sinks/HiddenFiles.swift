import CRealtime
import Glibc
import Synchronization

/// The names that files have in folders while processes write them: `.take.wav.4711`.
enum HiddenFiles {
  private struct Listing {
    let time: Double
    let names: [String]
  }

  /// By folder.
  private static let listings = Mutex<[String: Listing]>([:])
  /// Seconds after which a folder is read again. A batch asks for each of its files, and would read the
  /// names of all that it has written each time.
  private static let patience = 5.0
  private static let mostListings = 64

  /// Those in a folder, in no order.
  ///
  /// - Parameter isFresh: True reads the folder again, whatever was seen a moment ago.
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
          // Most names are others': a dot begins ours, and a digit ends them.
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
