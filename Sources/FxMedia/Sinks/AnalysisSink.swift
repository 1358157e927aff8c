package import FxAudio

/// Measures what it receives and stores none of it.
package final class AnalysisSink: AudioSink {
  package let name: String
  package let format: StreamFormat
  package var statistics: SinkStatistics
  private let analyzer: any Analyzer

  package init(name: String, format: StreamFormat, _ analyzer: any Analyzer) {
    self.name = name
    self.format = format
    self.analyzer = analyzer
    statistics = SinkStatistics(channelCount: format.channelCount)
  }

  package func write(
    _ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(Failure) {
    analyzer.take(channels, frameCount: frameCount)
  }

  package func finish() throws(Failure) {}
  package func abandon(keepingPartial: Bool) throws(Failure) -> String? { nil }
}
