import CRealtime
import Glibc
import Synchronization

/// A plugin's place in a chain, for the message when it crashes or hangs.
enum LV2Place {
  /// `place` of `LV2Voice`. Valid until the process ends, because a plugin may crash at any time.
  typealias Pointer = UnsafePointer<fx_plugin_place>

  private struct Known: @unchecked Sendable {
    // Sendable: never written after its creation.
    let pointer: Pointer
  }

  private static let known = Mutex<[String: Known]>([:])

  /// `node` is empty outside of a chain.
  static func of(_ uri: String, node: String = "") -> Pointer {
    known.withLock { known in
      let key = "\(node)\n\(uri)"
      if let place = known[key] { return place.pointer }
      let place = UnsafeMutablePointer<fx_plugin_place>.allocate(capacity: 1)
      place.initialize(to: fx_plugin_place(node: strdup(node), uri: strdup(uri)))
      known[key] = Known(pointer: Pointer(place))
      return Pointer(place)
    }
  }

  /// Runs a plugin's code on the calling thread.
  static func within<Result>(_ place: Pointer, _ body: () -> Result) -> Result {
    let before = fx_plugin_enters(place)
    defer { fx_plugin_leaves(before) }
    return body()
  }
}
