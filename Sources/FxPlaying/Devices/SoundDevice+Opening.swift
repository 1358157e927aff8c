import CALSA
package import FxAudio

/// Opens both ends of a device.
extension SoundDevice {
  struct Ends {
    var playback: ALSAStream?
    var capture: ALSAStream?
    var isLinked = false
    /// True for two cards; where a card number is unknown, for two different names.
    var hasTwoClocks = false

    func close() {
      playback?.close()
      capture?.close()
    }
  }

  /// The request for each end. The recording end uses the parameters that the playing end has
  /// accepted.
  static func requests(
    _ request: Request, _ agreement: ALSAAgreement?
  ) -> (playback: ALSARequest?, capture: ALSARequest?) {
    var asked = ALSARequest(
      sampleRate: request.sampleRate, periodFrameCount: request.periodFrameCount,
      periodCount: request.periodCount)
    if let block = request.blockFrameCount {
      let (double, overflow) = block.multipliedReportingOverflow(by: 2)
      asked.minimumBufferFrameCount = overflow ? block : double
    }
    asked.convertsRate = request.convertsRate
    asked.isDithered = request.isDithered
    asked.soundChannelCount = request.soundChannelCount
    asked.acceptsFewerChannels = request.acceptsFewerChannels
    var playback: ALSARequest?
    if let end = request.playback {
      asked.channelCount = end.channelCount
      playback = asked
    }
    guard let end = request.capture else { return (playback, nil) }
    asked.channelCount = end.channelCount
    asked.acceptsFewerChannels = true
    if let agreement {
      asked.sampleRate = agreement.sampleRate
      asked.periodFrameCount = agreement.periodFrameCount
      asked.minimumBufferFrameCount = max(
        agreement.bufferFrameCount, asked.minimumBufferFrameCount)
    }
    return (playback, asked)
  }

  static func open(_ request: Request) throws(Failure) -> Ends {
    var ends = Ends()
    do throws(Failure) {
      if let end = request.playback, let asked = requests(request, nil).playback {
        ends.playback = try ALSAStream.open(
          end.name, .playback, asked, startsByItself: request.capture == nil)
      }
      if let end = request.capture,
        let asked = requests(request, ends.playback?.agreement).capture
      {
        ends.capture = try ALSAStream.open(end.name, .capture, asked, startsByItself: false)
      }
      if let playback = ends.playback, let capture = ends.capture {
        try check(request, playback, capture)
        ends.hasTwoClocks = hasTwoClocks(request, playback, capture)
        ends.isLinked = !ends.hasTwoClocks && playback.link(to: capture)
      }
    } catch {
      ends.close()
      throw error
    }
    return ends
  }

  private static func hasTwoClocks(
    _ request: Request, _ playback: ALSAStream, _ capture: ALSAStream
  ) -> Bool {
    if playback.card >= 0, capture.card >= 0 { return playback.card != capture.card }
    return request.playback?.name != request.capture?.name
  }

  /// Both ends must run at one rate, and the block must fit between them.
  private static func check(
    _ request: Request, _ playback: ALSAStream, _ capture: ALSAStream
  ) throws(Failure) {
    let names = (request.playback?.name ?? "", request.capture?.name ?? "")
    let (plays, records) = (playback.agreement, capture.agreement)
    guard plays.sampleRate == records.sampleRate else {
      throw .device(
        names.1,
        "the sound device '\(names.1)' records at \(Int(clamping: records.sampleRate)) Hz and "
          + "'\(names.0)' plays at \(Int(clamping: plays.sampleRate)) Hz; give the chain a "
          + "sampleRate that both have, or put 'plug' before the names",
        .capture)
    }
    let block = max(request.blockFrameCount ?? 0, records.periodFrameCount)
    let queued = queuedFrameCount(plays)
    if queued < block + min(block, plays.periodFrameCount) {
      throw .device(
        names.0,
        "the sound device '\(names.0)' holds \(queued) frames, too few for blocks of \(block) "
          + "beside the recording; take smaller blocks, or more periods",
        .playback)
    }
  }
}

extension SoundDevice {
  /// Opens the devices, with a time limit for their answer.
  package static func open(
    _ request: Request, _ limits: OpeningLimits
  ) throws(Failure) -> SoundDevice {
    let name = request.playback?.name ?? request.capture?.name ?? ""
    return try limits.call { () throws(Failure) in
      try SoundDevice(request)
    } givingUp: { why in
      guard why == .late else {
        return Failure(.interrupted, name, "fxrun was stopped before it was open")
      }
      var error = Failure(
        .deviceUnavailable, name,
        "the sound device '\(name)' does not answer: it did not open within "
          + "\(limits.shownSeconds) s")
      error.absence = "does not answer"
      return error
    }
  }
}
