import CLilv
import Glibc

/// What one plugin instance is given for its files: `state:makePath` leads to a temporary folder
/// that is removed with the instance, `state:mapPath` takes paths as they are.
///
/// While a state is restored or saved, lilv gives the plugin a mapping of its own, in which the
/// paths are those within the state.
final class LV2PathFeature: @unchecked Sendable {
  // Sendable: plugins may make a path on any thread; the folder is made under its own lock.
  let make: UnsafeMutablePointer<LV2_State_Make_Path>
  let map: UnsafeMutablePointer<LV2_State_Map_Path>
  let free: UnsafeMutablePointer<LV2_State_Free_Path>
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private var made: String?

  init() {
    make = .allocate(capacity: 1)
    map = .allocate(capacity: 1)
    free = .allocate(capacity: 1)
    lock = .allocate(capacity: 1)
    lock.initialize(to: pthread_mutex_t())
    pthread_mutex_init(lock, nil)
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
    if let made { FileTree.remove(made) }
    pthread_mutex_destroy(lock)
    lock.deallocate()
    make.deallocate()
    map.deallocate()
    free.deallocate()
  }

  /// The folder of the files that the plugin has made so far; nil while there are none.
  var folder: String? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return made
  }

  /// Room for a file of the plugin's: folders on the way to it are made. Never nil while there is
  /// somewhere to write.
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
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    if let made { return made }
    let root = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    var name = Array("\(root.isEmpty ? "/tmp" : root)/fxrun-plugin-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else { return nil }
    made = name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
    return made
  }
}
