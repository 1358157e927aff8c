import CLilv
import CRealtime
import FxAudio
import Glibc
import Synchronization

/// A plugin's descriptor in its shared library. The library stays loaded until the process ends,
/// because some libraries crash when they are loaded a second time.
struct LV2Library: @unchecked Sendable {
  // Sendable: points into a library that is never unloaded; plugins do not write there.
  let descriptor: UnsafePointer<LV2_Descriptor>

  private static let loaded = Mutex<[String: LV2Library]>([:])

  /// The descriptor of a plugin, from its library.
  static func load(_ description: LV2Description) throws(Failure) -> LV2Library {
    let uri = description.uri
    guard let path = description.binary else {
      throw Failure(
        .unusablePlugin, "the description of LV2 plugin '\(uri)' names no binary")
    }
    let key = "\(path)\n\(uri)"
    if let known = loaded.withLock({ $0[key] }) { return known }
    let outcome = StandardOutput.diverted {
      LV2Place.within(LV2Place.of(uri)) { find(uri, in: path, bundle: description.bundle) }
    }
    let library = try outcome.get()
    loaded.withLock { $0[key] = library }
    return library
  }

  private static func find(_ uri: String, in path: String, bundle: String)
    -> Result<LV2Library, Failure>
  {
    let library: UnsafeMutableRawPointer
    // Libraries loaded since the last plugin do not belong to a plugin.
    fx_crash_libraries_of(nil)
    switch LV2Loader.load(path) {
    case .success(let loaded):
      library = loaded
      fx_crash_libraries_of(LV2Place.of(uri))
    case .failure(let problem):
      return .failure(
        Failure(
          .unusablePlugin,
          "the binary of LV2 plugin '\(uri)' cannot be loaded: \(problem.message)"))
    }
    var isLV2 = false
    if let symbol = dlsym(library, "lv2_lib_descriptor") {
      isLV2 = true
      let function = unsafeBitCast(symbol, to: LibraryFunction.self)
      if let table = function(bundle, LV2Features.forLibraries),
        let get = table.pointee.get_plugin,
        let found = first({ get(table.pointee.handle, $0) }, named: uri)
      {
        return .success(LV2Library(descriptor: found))
      }
    }
    if let symbol = dlsym(library, "lv2_descriptor") {
      isLV2 = true
      let function = unsafeBitCast(symbol, to: PluginFunction.self)
      if let found = first({ function($0) }, named: uri) {
        return .success(LV2Library(descriptor: found))
      }
    }
    let problem =
      isLV2 ? "does not contain it, although its description says so" : "is not an LV2 library"
    return .failure(
      Failure(.unusablePlugin, "the binary of LV2 plugin '\(uri)' \(problem): \(path)"))
  }

  private typealias PluginFunction = @convention(c) (UInt32) -> UnsafePointer<LV2_Descriptor>?
  private typealias LibraryFunction =
    @convention(c) (UnsafePointer<CChar>?, UnsafePointer<UnsafePointer<LV2_Feature>?>?)
    -> UnsafePointer<LV2_Lib_Descriptor>?

  private static func first(
    _ descriptor: (UInt32) -> UnsafePointer<LV2_Descriptor>?, named uri: String
  ) -> UnsafePointer<LV2_Descriptor>? {
    // A bound far above any real library, for a library that never returns null.
    for index in 0..<UInt32(100_000) {
      guard let found = descriptor(index) else { return nil }
      if let name = found.pointee.URI, String(cString: name) == uri { return found }
    }
    return nil
  }
}
