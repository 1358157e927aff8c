import COptional
import CRealtime
package import FxAudio
import Glibc

/// The process that reads a SOFA file with libmysofa. It may crash.
package enum SOFAHost {
  /// The delays in seconds that a head can have, and those of a room before it.
  static let delays: ClosedRange<Float> = -0.1...0.1

  /// The request is the sample rate and the bytes of the file; the channel receives the answer.
  package static func main(_ task: ReceivedTask) -> Never {
    let (sampleRate, bytes, isSound) = task.request.withUnsafeBytes { request in
      var reader = ByteDecoder(request)
      return (reader.double(), reader.block(), reader.isSound)
    }
    guard isSound, sampleRate > 0, let file = try? UnnamedFile(bytes) else { exit(64) }
    _exit(UnnamedFile.write(answer(file, sampleRate), to: ReceivedTask.channel) ? 0 : 1)
  }

  private static func answer(_ bytes: UnnamedFile, _ sampleRate: Double) -> [UInt8] {
    guard fx_sofa_load() != 0 else { return SOFAAnswer.bytes(.noLibrary) }
    var (length, error): (Int32, Int32) = (0, 0)
    let name = "/proc/self/fd/\(bytes.descriptor)"
    guard let file = fx_sofa_open(name, Float(sampleRate), &length, &error), length > 0 else {
      return SOFAAnswer.bytes(.unreadable, Int(error))
    }
    guard Int(length) <= SOFAAnswer.frameLimit else {
      return SOFAAnswer.bytes(.tooLong, Int(length))
    }
    let responses = Responses(file, Int(length))
    var longest = 0.0
    for direction in 0..<HeadGrid.directionCount {
      let found = responses.read(direction)
      for delay in [found.left, found.right] {
        guard delays.contains(delay) else { return SOFAAnswer.bytes(.damaged) }
        longest = max(longest, Double(delay))
      }
    }
    let frameCount = Int(length) + Int((longest * sampleRate).rounded(.up))
    guard frameCount <= SOFAAnswer.frameLimit else {
      return SOFAAnswer.bytes(.tooLong, frameCount)
    }
    var samples = [Float](repeating: 0, count: HeadGrid.channelCount * frameCount)
    for direction in 0..<HeadGrid.directionCount {
      let found = responses.read(direction)
      for (ear, delay) in [found.left, found.right].enumerated() {
        let late = Int((max(Double(delay), 0) * sampleRate).rounded())
        let start = (2 * direction + ear) * frameCount + late
        let response = ear == 0 ? responses.left : responses.right
        samples.replaceSubrange(start..<start + Int(length), with: response)
      }
    }
    return SOFAAnswer.bytes(samples, frameCount: frameCount)
  }

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
