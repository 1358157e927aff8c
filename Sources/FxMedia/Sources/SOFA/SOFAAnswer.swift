import FxAudio

/// The answer of the process that reads a SOFA file: an error, or a sound.
///
/// The process may have read a damaged file, so the answer is checked like a file.
enum SOFAAnswer {
  /// The most bytes of the samples, and of the whole answer.
  static let sampleByteLimit = 1 << 28
  static let byteLimit = sampleByteLimit + headerByteCount
  /// A response peaks near 1, because libmysofa normalises the level.
  private static let largestSample: Float = 1000
  private static let headerByteCount = 16

  /// The most frames of a response.
  static var frameLimit: Int {
    sampleByteLimit / (HeadGrid.channelCount * MemoryLayout<Float>.stride)
  }

  enum Refusal: Int {
    case noLibrary = 1, unreadable, tooLong, damaged
  }

  static func bytes(_ failure: Refusal, _ detail: Int = 0) -> [UInt8] {
    var writer = ByteEncoder()
    writer.put(failure.rawValue)
    writer.put(detail)
    return writer.bytes
  }

  static func bytes(_ samples: [Float], frameCount: Int) -> [UInt8] {
    var writer = ByteEncoder()
    writer.put(0)
    writer.put(frameCount)
    return writer.bytes + samples.withUnsafeBytes { Array($0) }
  }

  static func read(_ bytes: [UInt8], _ path: String) throws(Failure) -> SoundAsset {
    let (code, detail) = bytes.withUnsafeBytes { bytes in
      var reader = ByteDecoder(bytes)
      let numbers = (reader.int(), reader.int())
      return reader.isSound ? numbers : (Refusal.damaged.rawValue, 0)
    }
    guard code == 0 else { throw error(Refusal(rawValue: code) ?? .damaged, detail, path) }
    let count = HeadGrid.channelCount
    guard (1...frameLimit).contains(detail),
      bytes.count == headerByteCount + count * detail * MemoryLayout<Float>.stride
    else { throw error(.damaged, 0, path) }
    let samples = [Float](unsafeUninitializedCapacity: count * detail) { buffer, filled in
      bytes.withUnsafeBytes { bytes in
        UnsafeMutableRawBufferPointer(buffer).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: bytes.dropFirst(headerByteCount)))
      }
      filled = count * detail
    }
    // NaN fails the comparison.
    guard samples.allSatisfy({ $0.magnitude <= largestSample }) else {
      throw error(.damaged, 0, path)
    }
    return SoundAsset(channelCount: count, frameCount: detail, samples: samples)
  }

  private static func error(_ failure: Refusal, _ detail: Int, _ path: String) -> Failure {
    switch failure {
    case .noLibrary:
      Failure(
        .unsupportedFormat, path,
        "fxrun reads SOFA files with the library libmysofa; install it (on Debian: apt install "
          + "libmysofa1)")
    case .unreadable:
      Failure(
        .unsupportedFormat, path,
        "libmysofa cannot read it (error \(detail)): it must have impulse responses of two ears")
    case .tooLong:
      Failure(
        .outOfRange, path,
        "its responses have \(detail) frames at this sample rate, and \(frameLimit) is the limit; "
          + "take a file with shorter ones")
    case .damaged:
      Failure(
        .damaged, path,
        "it is damaged: its responses or their delays are impossible; take another copy")
    }
  }
}
