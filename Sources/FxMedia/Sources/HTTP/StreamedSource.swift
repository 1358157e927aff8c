import FxAudio

/// The sound of a stream, with its titles.
final class StreamedSource: ChangedSource {
  let source: any AudioSource
  private let stream: HTTPStream
  private let news: StreamNews
  private var position = 0
  /// The precision of title positions, in frames.
  private static let blockFrameCount = 2048

  init(_ source: any AudioSource, _ stream: HTTPStream, _ news: StreamNews) {
    self.source = source
    self.stream = stream
    self.news = news
  }

  var warnings: [String] { (stream.warning.map { [$0] } ?? []) + source.warnings }
  var isStreamed: Bool { true }
  var isUnending: Bool { stream.isUnending }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    let count = try source.read(
      into: channels, frameCount: min(frameCount, StreamedSource.blockFrameCount))
    if count == 0 { stream.drain() }
    let seconds = Double(position) / format.sampleRate
    for title in stream.takeTitles() {
      let words = title.isEmpty ? "has no title from" : "plays '\(title)' from"
      news.add(
        StreamNews.Item(
          .title, name, "\(words) \(clockSeconds(position, format.sampleRate)) on",
          title: title, seconds: seconds))
    }
    position += count
    return count
  }

  func seek(toFrame frame: Int) throws(Failure) {
    try source.seek(toFrame: frame)
    position = frame
  }
}
