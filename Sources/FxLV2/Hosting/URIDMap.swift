import CLilv
import Glibc
import Synchronization

/// Maps URIs to numbers, the same for every plugin of the process.
///
/// Grows without limit. A returned string keeps its address until the process ends.
final class URIDMap: Sendable {
  static let shared: URIDMap = {
    let map = URIDMap()
    // The old event extension supports small numbers only.
    _ = map.map(LV2URI.midiEvent)
    return map
  }()

  private struct Table {
    var numbers: [String: LV2_URID] = [:]
    /// Addresses of C strings, by number less one.
    var strings: [UInt] = []
  }

  // Plugins call the map from their own threads. The strings are never freed or changed.
  private let table: Mutex<Table>

  private init() { table = Mutex(Table()) }

  /// The number of a URI; 0 only when memory runs out.
  func map(_ uri: String) -> LV2_URID {
    uri.withCString { map($0) }
  }

  func map(_ uri: UnsafePointer<CChar>) -> LV2_URID {
    let key = String(cString: uri)
    let address = UInt(bitPattern: uri)
    return table.withLock { table in
      if let number = table.numbers[key] { return number }
      guard let source = UnsafePointer<CChar>(bitPattern: address), let string = strdup(source),
        let number = LV2_URID(exactly: table.strings.count + 1)
      else { return 0 }
      table.strings.append(UInt(bitPattern: string))
      table.numbers[key] = number
      return number
    }
  }

  /// The URI of a number; nil for a number that was never returned.
  func unmap(_ number: LV2_URID) -> UnsafePointer<CChar>? {
    let address: UInt? = table.withLock { table in
      guard number > 0, Int(number) <= table.strings.count else { return nil }
      return table.strings[Int(number) - 1]
    }
    return address.flatMap { UnsafePointer(bitPattern: $0) }
  }

  /// The feature's data for `urid:map`.
  static var mapFeature: LV2_URID_Map {
    LV2_URID_Map(handle: nil) { _, uri in uri.map { URIDMap.shared.map($0) } ?? 0 }
  }

  /// The feature's data for `urid:unmap`.
  static var unmapFeature: LV2_URID_Unmap {
    LV2_URID_Unmap(handle: nil) { _, number in URIDMap.shared.unmap(number) }
  }
}
