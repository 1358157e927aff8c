import FxAudio
import FxChain
import FxEngine
import FxPlaying

/// Removes the round trip from files that are recorded during playback.
extension RenderJob {
  /// The round trip of the device and its hardware; nil if nothing is recorded during playback, or
  /// if the recording goes into no file.
  ///
  /// Drivers report latency beyond their buffers only while the device runs, so it first runs in
  /// silence for a moment.
  func recordingLatency(_ device: SoundDevice) -> RecordingLatency? {
    guard var latency = alignedRecording, let frames = roundTrip(device) else { return nil }
    latency.frames = frames
    return latency
  }

  /// The round trip that files would have to be moved by, not measured yet; nil if there is none.
  private var alignedRecording: RecordingLatency? {
    guard let playback = devices.playback, let recorder = devices.capture?.device,
      let heard = compiled.endpoint(ofSink: compiled.plan.sinks[playback.index])
    else { return nil }
    let request = request
    // The round trip of another recording device is unknown.
    let latency = RecordingLatency(frames: 1, heard: heard) {
      request.records($0) && request.live.recordingDevice($0) == recorder
    }
    var graph = compiled.built.graph
    _ = graph.setLateness(latency)
    return graph.nodes.contains { $0.sinkEndpoint != nil && $0.lateness > 0 } ? latency : nil
  }

  /// Frames from playback to the recording of it, hardware latency included; nil if the device does
  /// not both play and record. Through a sound server, a stated latency is all of it.
  func roundTrip(_ device: SoundDevice) -> Int? {
    let seconds = request.live.hardwareLatency ?? statedLatency
    guard let frames = device.fixRoundTrip() ?? (device.hidesRoundTrip && seconds > 0 ? 0 : nil)
    else { return nil }
    return max(0, frames + Int((seconds * device.sampleRate).rounded()))
  }

  /// The largest `hardwareLatency` of the chain's recorded sources, in seconds.
  private var statedLatency: Double {
    let sources = devices.capture?.sources ?? []
    return sources.compactMap {
      compiled.endpoint(ofSource: compiled.plan.sources[$0])?.options.number("hardwareLatency")
    }.max() ?? 0
  }

  /// Warnings about recordings that still contain the round trip.
  func roundTripWarnings(
    _ report: RenderSummary, _ device: SoundDevice
  ) -> [String] {
    guard let latency = compiled.settings.recording else {
      guard device.hidesRoundTrip, alignedRecording != nil else { return [] }
      return [
        "the sound server of '\(device.name)' does not report all of its latency, so the recording is "
          + "not moved earlier: measure the round trip and give it with --hardware-latency, or use "
          + "the card itself, such as hw:0"
      ]
    }
    func milliseconds(_ frames: Int) -> String {
      let tenths = (Double(frames) / compiled.sampleRate * 10000).rounded() / 10
      return "\(frames) frames (\(tenths) ms)"
    }
    var warnings = compiled.sinksAsHeard.map { node in
      "the output '\(compiled.resolved.graph.nodes[node].id)' has the mix as it was heard, with the "
        + "recording \(milliseconds(latency.frames)) late; to align it, give the files a mixer "
        + "of their own"
    }
    let stated = request.live.hardwareLatency ?? statedLatency
    if let playback = devices.playback, let end = report.live?.roundTripFrames {
      let device = end - compiled.plan.sinks[playback.index].latency
      let used = latency.frames - Int((stated * compiled.sampleRate).rounded())
      if device != used {
        warnings.append(
          "the device's round trip was \(milliseconds(device)) and not \(milliseconds(used)), "
            + "which were taken out of the recording: move it by \(used - device) frames")
      }
    }
    return warnings
  }
}
