import CRealtime

/// The version of fxrun.
package enum Release {
  package static let version = "0.1.0"

  /// The version and the build: `0.1.0 (release, build 4f1c09ab3d)`. The build is the beginning of
  /// the build ID that the linker has computed from the program.
  package static var description: String {
    var bytes: UnsafePointer<UInt8>?
    let count = fx_build_id(&bytes)
    let digits = UnsafeBufferPointer(start: bytes, count: min(count, 5)).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    #if DEBUG
      let configuration = "debug"
    #else
      let configuration = "release"
    #endif
    let build = digits.isEmpty ? "without a build ID" : "build \(digits.joined())"
    return "\(version) (\(configuration), \(build))"
  }
}
