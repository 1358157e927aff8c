import CSOFA
import FxAudio
import FxFrames
import Glibc

/// Head-related impulse responses in the AES69 format (SOFA), read by libmysofa.
enum SOFAFile {
  /// True if a file begins with the signature of HDF5, the container of SOFA.
  static func isOne(_ path: String) -> Bool {
    guard let file = fopen(path, "rb") else { return false }
    defer { fclose(file) }
    var start = [UInt8](repeating: 0, count: 8)
    return fread(&start, 1, 8, file) == 8 && start == [0x89, 0x48, 0x44, 0x46, 13, 10, 26, 10]
  }

  /// For each direction of `HeadGrid`, the nearest response of each ear, including its delay.
  ///
  /// - Throws: `IOError` if the file cannot be read or the library is missing.
  static func read(_ path: String, sampleRate: Double) throws(IOError) -> SoundAsset {
    guard fx_sofa_load() != 0 else {
      throw IOError(
        .unsupportedFormat, path,
        "fxrun reads SOFA files with the library libmysofa; install it (on Debian: apt install libmysofa1)"
      )
    }
    var (length, error): (Int32, Int32) = (0, 0)
    guard let file = fx_sofa_open(path, Float(sampleRate), &length, &error), length > 0 else {
      throw IOError(
        .unsupportedFormat, path,
        "libmysofa cannot read it (error \(error)): it must have impulse responses of two ears")
    }
    defer { fx_sofa_close(file) }
    let responses = Responses(file, Int(length))
    let longest = (0..<HeadGrid.directionCount).reduce(0.0) { longest, direction in
      let delays = responses.read(direction)
      return max(longest, possible(delays.left), possible(delays.right))
    }
    let extra = Int((longest * sampleRate).rounded(.up))
    let frameCount = Int(length) + extra
    var samples = [Float](repeating: 0, count: HeadGrid.channelCount * frameCount)
    for direction in 0..<HeadGrid.directionCount {
      let delays = responses.read(direction)
      for (ear, delay) in [delays.left, delays.right].enumerated() {
        let late = Int((possible(delay) * sampleRate).rounded())
        let start = (2 * direction + ear) * frameCount + late
        let response = ear == 0 ? responses.left : responses.right
        samples.replaceSubrange(start..<start + Int(length), with: response)
      }
    }
    return SoundAsset(
      channelCount: HeadGrid.channelCount, frameCount: frameCount, samples: samples)
  }

  /// The delay in seconds that is used for a delay of the file: at most 0.1 s, and 0 for NaN.
  static func possible(_ delay: Float) -> Double { delay > 0 ? min(Double(delay), 0.1) : 0 }

  /// Reads the responses of one direction at a time.
  private final class Responses {
    private let file: OpaquePointer
    private(set) var left: [Float]
    private(set) var right: [Float]

    init(_ file: OpaquePointer, _ length: Int) {
      self.file = file
      left = [Float](repeating: 0, count: length)
      right = left
    }

    /// Reads the responses of a direction, and returns their delays in seconds.
    func read(_ index: Int) -> (left: Float, right: Float) {
      let (azimuth, elevation) = HeadGrid.direction(index)
      let (around, up) = (azimuth * .pi / 180, elevation * .pi / 180)
      var (leftDelay, rightDelay): (Float, Float) = (0, 0)
      fx_sofa_nearest(
        file, Float(cos(up) * cos(around)), Float(-cos(up) * sin(around)), Float(sin(up)), &left,
        &right, &leftDelay, &rightDelay)
      return (leftDelay, rightDelay)
    }
  }
}
