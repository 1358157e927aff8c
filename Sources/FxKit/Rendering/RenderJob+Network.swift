import FxAudio
import FxChain
import FxEngine
import FxMedia
import FxPlaying

extension RenderRequest {
  /// The settings of streams.
  ///
  /// - Parameter addresses: the addresses that the chain's sources read.
  func streams(reading addresses: [HTTPAddress]) throws(ChainFailure) -> StreamSettings {
    var streams = StreamSettings()
    streams.userAgent = "fxrun/\(Release.version)"
    if let streamTimeout { streams.limits.limitWaits(to: streamTimeout) }
    if let streamAttempts { streams.limits.attemptCount = streamAttempts }
    streams.limits.isPatient = live.waitsForDevice == true
    guard let path = savedStream else { return streams }
    guard !addresses.isEmpty else {
      throw ChainFailure(
        .request, code: .usage,
        "--save-stream keeps what a server sends, and no source of the chain is an http address")
    }
    do throws(Failure) {
      streams.recording = try StreamRecording(path)
    } catch {
      throw ChainFailure(error, .output)
    }
    return streams
  }
}

/// Saves streams to a file, and reports their events.
extension RenderJob {
  /// Frames to buffer before a stream plays; 0 for other sources, and for a render into files.
  func refillFrameCount(_ endpoint: SourceEndpoint) -> Int {
    guard isLive, sources.extent(of: endpoint)?.isStreamed == true else { return 0 }
    let seconds = endpoint.options.number("buffer") ?? request.streamBuffer
    return Int((seconds * compiled.sampleRate).rounded())
  }

  /// Reports the news of streams.
  ///
  /// - Parameter feeds: news with a time waits until its feed reaches it; nil reports all at once.
  func reportStreams(_ feeds: [SourceFeed?]?, _ report: ((DeviceNotice) -> Void)?) {
    guard let report else { return }
    let items = sources.streams.news.take { item in
      guard let seconds = item.seconds,
        let feed = feeds?.first(where: { $0?.name == item.stream }) ?? nil
      else { return true }
      return feed.takenSeconds >= seconds
    }
    for item in items { report(DeviceNotice(item)) }
  }

  /// Reports that streams are buffered before they play.
  func reportBuffering(
    _ feeds: [SourceFeed?], _ report: (DeviceNotice) -> Void
  ) {
    for case let feed? in feeds where feed.refillSeconds > 0 {
      report(DeviceNotice(buffering: feed.name, seconds: feed.refillSeconds))
    }
  }

  /// Completes the file with a stream's bytes, after reading has ended. Returns remarks for the
  /// user.
  func finishRecording() throws(ChainFailure) -> [String] {
    do throws(Failure) {
      return try recordingRemarks()
    } catch {
      throw ChainFailure(error, .output)
    }
  }

  func recordingRemarks() throws(Failure) -> [String] {
    try sources.streams.recording?.finish().map { [$0] } ?? []
  }
}

extension DeviceNotice {
  /// Describes an item of stream news.
  init(_ item: StreamNews.Item) {
    let kind: Kind =
      switch item.kind {
      case .station: .station
      case .title: .title
      case .reconnecting: .reconnecting
      case .resumed: .resumed
      case .gap: .streamGap
      case .skipped: .skipped
      }
    self.init(
      kind, item.stream.isEmpty ? item.message : "\(item.stream): \(item.message)",
      title: item.title, seconds: item.seconds)
  }

  init(buffering name: String, seconds: Double) {
    self.init(.buffering, "\(name): plays when \(Self.tenths(seconds)) s of it are buffered")
  }

  init(_ event: StreamEvent, sampleRate: Double) {
    switch event {
    case .ranDry(let name, let seconds, let refill):
      self.init(
        .underrun,
        "underrun: \(name) arrived slower than it plays; it is silent from "
          + "\(Self.tenths(seconds)) s on until \(Self.tenths(refill)) s of it are buffered",
        seconds: seconds)
    case .notReady(let name, let frame, let frameCount):
      self.init(
        .notReady,
        "\(name): the source was not ready at \(clockTime(frame, sampleRate: sampleRate)); silence "
          + "took the place of \(frameCount) frames (\(Self.tenths(Double(frameCount) / sampleRate)) s)",
        seconds: Double(frame) / sampleRate)
      frames = frameCount
    case .playsAgain(let name, let seconds):
      self.init(
        .refilled, "\(name) plays again after \(Self.tenths(seconds)) s of silence")
    }
  }
}
