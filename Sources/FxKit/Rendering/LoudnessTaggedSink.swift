import FxAudio
import FxFrames
import FxMedia
import FxUnits

/// A file whose tags say how loud it is, once all of it is written.
final class LoudnessTaggedSink: AudioSink {
  var name: String { file.name }
  var format: StreamFormat { file.format }
  private(set) var statistics: SinkStatistics
  private let file: FileSink
  private let loudness: SoundLoudness
  private var isMeasured = false

  init(_ file: FileSink) {
    self.file = file
    loudness = SoundLoudness(file.format)
    statistics = file.statistics
  }

  func write(
    _ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(IOError) {
    try file.write(channels, frameCount: frameCount)
    loudness.take(channels, frameCount: frameCount)
    statistics = file.statistics
  }

  func complete() throws(IOError) {
    if !isMeasured {
      isMeasured = true
      statistics.loudness = loudness.integrated
      file.setGains(loudness: loudness.integrated, truePeak: loudness.truePeak)
    }
    try file.complete()
  }

  func finish() throws(IOError) {
    try complete()
    try file.finish()
  }

  func abandon(keepingPartial: Bool) throws(IOError) -> String? {
    try file.abandon(keepingPartial: keepingPartial)
  }

  func check(_ frameCount: Int) throws(IOError) { try file.check(frameCount) }
  func rest() throws(IOError) { try file.rest() }
  func interrupt() { file.interrupt() }
}
