import CLilv
import FxAudio
import Glibc
import Synchronization

/// The file features of one plugin instance: `state:makePath` makes paths in a temporary folder
/// that is removed with the instance; `state:mapPath` returns absolute paths unchanged.
///
/// While a state is restored or saved, lilv gives the plugin its own mapping, with paths within the
/// state.
final class LV2PathFeature: @unchecked Sendable {
  // Sendable: plugins may make a path on any thread; the folder's name is behind a lock.
  let make: UnsafeMutablePointer<LV2_State_Make_Path>
  let map: UnsafeMutablePointer<LV2_State_Map_Path>
  let free: UnsafeMutablePointer<LV2_State_Free_Path>
  private let made = Mutex<String?>(nil)

  init() {
    make = .allocate(capacity: 1)
    map = .allocate(capacity: 1)
    free = .allocate(capacity: 1)
    free.initialize(to: LV2_State_Free_Path(handle: nil) { _, path in Glibc.free(path) })
    let handle = Unmanaged.passUnretained(self).toOpaque()
    make.initialize(
      to: LV2_State_Make_Path(handle: handle) { handle, path in
        guard let handle, let path else { return nil }
        return Unmanaged<LV2PathFeature>.fromOpaque(handle).takeUnretainedValue()
          .makePath(String(cString: path))
      })
    map.initialize(
      to: LV2_State_Map_Path(
        handle: handle,
        abstract_path: { _, path in path.flatMap { strdup($0) } },
        absolute_path: { handle, path in
          guard let handle, let path else { return nil }
          return Unmanaged<LV2PathFeature>.fromOpaque(handle).takeUnretainedValue()
            .absolutePath(String(cString: path))
        }))
  }

  deinit {
    remove()
    make.deallocate()
    map.deallocate()
    free.deallocate()
  }

  /// Removes all files that the plugin has made. `deinit` does not run when the process ends.
  func remove() {
    let folder = made.withLock { made in
      defer { made = nil }
      return made
    }
    if let folder { FileTree.remove(folder) }
  }

  /// The folder of the files that the plugin has made so far; nil while there are none.
  var folder: String? { made.withLock { $0 } }

  /// A path for a file of the plugin; its parent folders are made. nil for an empty path, or when
  /// the temporary folder cannot be made.
  func makePath(_ path: String) -> UnsafeMutablePointer<CChar>? {
    let steps = path.split(separator: "/").filter { $0 != "." && $0 != ".." }
    guard !steps.isEmpty, var folder = ensuredFolder() else { return nil }
    for step in steps.dropLast() {
      folder += "/\(step)"
      mkdir(folder, 0o700)
    }
    return strdup("\(folder)/\(steps[steps.count - 1])")
  }

  private func absolutePath(_ path: String) -> UnsafeMutablePointer<CChar>? {
    guard !path.hasPrefix("/"), !path.isEmpty, let folder else { return strdup(path) }
    return strdup("\(folder)/\(path)")
  }

  private func ensuredFolder() -> String? {
    made.withLock { made in
      if made == nil {
        let root = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        var name = Array("\(root.isEmpty ? "/tmp" : root)/fxrun-plugin-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { return nil }
        made = name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
      }
      return made
    }
  }
}
