import FxNodes
import Glibc

extension EasyEffectsPlugin {
  func autogain() -> EasyEffectsNodes? {
    turn(
      ["target"],
      .approximated("fxrun raises a whole sound by one gain and a live one slowly, by the last 3 s")
    )
    let times: ImportOutcome = .approximated(
      "fxrun measures as EBU R 128 says and gates silence by itself")
    settle(
      ["silence-threshold", "maximum-history", "reference", "force-silence", "reset-history"], times
    )
    let target = number("target", -23, in: -70...0)
    return EasyEffectsNodes(Loudness(id: importing.id(name), target: .lufs(target)))
  }

  func speex() -> EasyEffectsNodes? {
    refuse(
      flag: "enable-agc",
      "fxrun's speechDenoise does not change the loudness: put a loudness after it")
    refuse(flag: "enable-dereverb", "fxrun's speechDenoise leaves reverberation")
    if let detection = settings["vad"] {
      if detection["enable"]?.flag == true {
        detection.turn(.notPossible("fxrun's speechDenoise does not mute pauses"))
      } else {
        detection.settle(.translated("it is off"))
      }
    }
    let isOn = settings["enable-denoise"]?.flag ?? true
    let reduction = number("noise-suppression", -70, in: 0...60, scale: -1)
    return EasyEffectsNodes(
      SpeechDenoise(id: importing.id(name), reduction: .decibels(isOn ? reduction : 0)))
  }

  func rnNoise() -> EasyEffectsNodes? {
    settle(
      ["model-name", "model-path", "use-standard-model", "enable-vad", "vad-thres", "release"],
      .approximated("fxrun turns noise down with libspeexdsp, which no model guides: 20 dB"))
    turn(["wet"], .approximated("the share of the processed signal"))
    return mixed(SpeechDenoise(id: importing.id(name), reduction: 20))
  }

  func deepFilter() -> EasyEffectsNodes? {
    settle(
      [
        "min-processing-threshold", "max-erb-processing-threshold", "max-df-processing-threshold",
        "min-processing-buffer", "post-filter-beta",
      ], .approximated("fxrun turns noise down with libspeexdsp, which no model guides"))
    let limit = min(number("attenuation-limit", 100), 60)
    turn(["attenuation-limit"], .approximated("the largest reduction, up to 60 dB"))
    return EasyEffectsNodes(SpeechDenoise(id: importing.id(name), reduction: .decibels(limit)))
  }

  func echoCanceller() -> EasyEffectsNodes? {
    refuse(
      "fxrun's echoCancel needs the sound of the loudspeaker at its input 'reference', which a preset does not name"
    )
  }

  /// The de-esser of Calf.
  func deEsser() -> EasyEffectsNodes? {
    settle(
      ["detection", "laxity", "f2-freq", "f2-level", "f2-q", "f1-level"],
      .approximated("fxrun measures all that lies above its frequency, with times of its own"))
    let isWide = settings["mode"]?.text != "Split"
    let node = DeEsser(
      id: importing.id(name), frequency: .hertz(number("f1-freq", 6000, in: 1000...16000)),
      threshold: .decibels(number("threshold", -18, in: -60...0)),
      ratio: number("ratio", 3, in: 1...100), listen: flag("sc-listen") ? true : nil,
      mode: isWide ? .wide : .split)
    return EasyEffectsNodes(node, after: number("makeup", 0))
  }

  /// RubberBand in version 6, SoundTouch in 7 and 8.
  func pitch() -> EasyEffectsNodes? {
    let rate = number("rate-difference", 0)
    let shift = number("semitones", 0) + number("cents", 0) / 100 + 12 * number("octaves", 0)
    var semitones = shift
    if rate > -100, rate != 0 {
      semitones += 12 * log2(1 + rate / 100)
      turn(["rate-difference"], .approximated("the pitch alone; the sound keeps its duration"))
    }
    refuse("tempo-difference", unless: 0, "fxrun's pitch keeps the duration")
    settle(
      [
        "quick-seek", "anti-alias", "sequence-length", "seek-window", "overlap-length", "crispness",
        "faster", "mode", "formant", "transient", "detector", "phase",
      ], .approximated("the same shift, made in another way"))
    let keepsFormants = flag("formant-preserving")
    let limited = limited(semitones, -24...24, settings["semitones"])
    return mixed(
      Pitch(
        id: importing.id(name), shift: .semitones(limited), formants: keepsFormants ? .keep : nil))
  }
}
