import FxAudio
import Glibc

/// Loads shared libraries, even those that are not linked to a library that they need.
enum LV2Loader {
  /// Libraries that plugins use without being linked to them, by the prefix of the missing symbols.
  /// Loaded only for a binary that cannot be loaded otherwise.
  static let providers: [(symbolPrefix: String, library: String)] = [
    ("fftwf_", "libfftw3f.so.3"), ("fftw_", "libfftw3.so.3"),
  ]

  /// A handle of a library that stays loaded.
  static func load(_ path: String) -> Result<UnsafeMutableRawPointer, Failure> {
    var reason = ""
    // Each pass loads one more provider.
    for _ in 0...providers.count {
      _ = dlerror()
      if let library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) {
        return .success(library)
      }
      reason = dlerror().map { String(cString: $0) } ?? "unknown error"
      guard let symbol = undefinedSymbol(in: reason),
        let provider = providers.first(where: { symbol.hasPrefix($0.symbolPrefix) })
      else { break }
      guard dlopen(provider.library, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE) != nil else {
        reason += ", which \(provider.library) has, but that is not installed"
        break
      }
    }
    return .failure(Failure(.unusablePlugin, reason))
  }

  /// The symbol that glibc names: `FILE: undefined symbol: fftwf_execute`.
  static func undefinedSymbol(in reason: String) -> Substring? {
    let mark = "undefined symbol: "
    for start in reason.indices where reason[start...].hasPrefix(mark) {
      return reason[start...].dropFirst(mark.count).prefix {
        $0.isLetter || $0.isNumber || $0 == "_"
      }
    }
    return nil
  }
}
