/// The section `devices` of CamillaDSP: rate and channels; the rest is fxrun's command line.
struct CamillaDSPDevices {
  let root: SourceValue?
  let sampleRate: Double?
  let inputChannels: Int?

  init(_ root: SourceValue?) {
    self.root = root
    sampleRate = root?["samplerate"]?.sampleRate
    inputChannels = root?["capture"]?["channels"]?.integer.flatMap {
      (1...256).contains($0) ? $0 : nil
    }
  }

  /// Decides what becomes of the other keys.
  func read() {
    let capture = root?["capture"]
    if inputChannels == nil {
      capture?["channels"]?.turn(.notPossible("1 to 256 channels are possible"))
    }
    capture?.settle(
      .approximated(
        "the command line names the input: fxrun CHAIN INPUT, or a source \"alsa\" in the chain"))
    let playback = root?["playback"]
    playback?["channels"]?.settle(.translated("the last mixer decides the channels of the output"))
    playback?.settle(
      .approximated("the command line names the output: -o FILE, or a device with --device"))
    for key in [
      "chunksize", "queuelimit", "target_level", "adjust_period", "multithreaded", "worker_threads",
    ] {
      root?[key]?.turn(
        .translated("fxrun chooses blocks, queues and threads itself; the sound is the same"))
    }
    for key in ["enable_rate_adjust", "stop_on_rate_change", "rate_measure_interval"] {
      root?[key]?.turn(.translated("fxrun follows the clocks of its devices by itself"))
    }
    for key in ["resampler", "resampler_type", "enable_resampling", "capture_samplerate"] {
      root?[key]?.turn(
        .approximated("fxrun converts every input to the chain's rate with libsoxr"))
    }
    for key in ["silence_threshold", "silence_timeout"] {
      root?[key]?.turn(.translated("fxrun does not pause at silence; the sound is the same"))
    }
    for key in ["volume_ramp_time", "volume_limit"] {
      root?[key]?.turn(.notPossible("fxrun has no volume control outside of the chain"))
    }
  }
}
