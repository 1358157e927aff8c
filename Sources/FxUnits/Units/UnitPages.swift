/// The text of the reference page about a unit, in addition to its declaration.
package struct UnitPage: Sendable {
  /// When to use it, with an initial value where that helps.
  package var usage: String
  /// The source of its method; nil for simple arithmetic.
  package var source: String?
  /// The arguments after the unit's name in the `fxrun plot` command for its picture; nil where a
  /// picture is not useful.
  package var plot: String?

  init(_ usage: String, source: String? = nil, plot: String? = nil) {
    self.usage = usage
    self.source = source
    self.plot = plot
  }
}

extension BuiltInUnits {
  private static let filter =
    "A. Simper, Linear Trapezoidal Integrated SVF (2013); R. Bristow-Johnson, Audio EQ Cookbook."
  private static let convolution =
    "W. G. Gardner, Efficient Convolution without Input-Output Delay, JAES 43 (1995)."
  private static let linkwitzRiley =
    "S. H. Linkwitz, Active Crossover Networks for Noncoincident Drivers, JAES 24 (1976); "
    + "J. D'Appolito, Active Realization of Multiway All-Pass Crossover Systems, JAES 35 (1987)."
  private static let dynamics =
    "D. Giannoulis, M. Massberg, J. D. Reiss, Digital Dynamic Range Compressor Design, JAES 60 (2012)."
  private static let bending =
    "J. D. Parker, V. Zavalishin, E. Le Bivic, Reducing the Aliasing of Nonlinear Waveshaping, DAFx-16."

  /// By the name of the unit.
  package static let pages: [String: UnitPage] = [
    "gain": UnitPage(
      "To set levels between other units, to fade, and to turn the polarity of one microphone of two."
    ),
    "normalize": UnitPage(
      "As the last unit of a file whose peaks are to reach a known level. For a known loudness take `loudness`."
    ),
    "loudness": UnitPage(
      "As the last unit of an episode, a programme or a record that has to meet a platform's loudness.",
      source: "ITU-R BS.1770-4; EBU R 128."),
    "pan": UnitPage(
      "To place a mono track in a stereo mix. `law` decides whether a sound keeps its level on the way across."
    ),
    "width": UnitPage(
      "To make a stereo sound wider or narrower, and its bass mono for records and clubs.",
      source: "For the bass: A. Simper, Linear Trapezoidal Integrated SVF (2013).",
      plot: "monoBelow=120 --feed sides --what magnitude"),
    "mixer": UnitPage(
      "Where branches of a chain meet: parallel effects, several inputs, sends and returns."),
    "downmix": UnitPage(
      "To make stereo of surround and mono of stereo, and to check whether a mix survives a mono speaker.",
      source: "ITU-R BS.775-3, table 2."),
    "meter": UnitPage(
      "To see levels and loudness at any place of a chain, live or in the summary of a render.",
      source: "ITU-R BS.1770-4; EBU R 128, Tech 3341 and 3342."),
    "highPass": UnitPage(
      "Against rumble, wind and handling noise: 80 Hz for a voice, 30 Hz for a mix. "
        + "When `frequency` jumps while `q` is high, its resonance rings on: up to 6 dB louder than both ends for a moment.",
      source: filter,
      plot: "--what magnitude,groupDelay"),
    "lowPass": UnitPage(
      "Against hiss and harshness, and to make an echo or a synthesizer darker. "
        + "When `q` jumps at low frequencies, the resonance rings with what the filter holds: up to 4 dB louder than both ends for a moment.",
      source: filter,
      plot: "frequency=1kHz --what magnitude,groupDelay"),
    "bandPass": UnitPage(
      "For the sound of a telephone or a small radio, and in a side-chain that is to hear one instrument. "
        + "When `frequency` jumps, it passes what is between: up to 6 dB louder than both ends for a moment.",
      source: filter, plot: "--what magnitude,phase"),
    "notch": UnitPage(
      "Against a single tone: mains hum at 50 or 60 Hz, a whistle, feedback.", source: filter,
      plot: "--what magnitude,groupDelay"),
    "allPass": UnitPage(
      "To match the phase of two microphones, and for phasers: several in a row, moved by an `lfo`, mixed with the signal.",
      source: filter, plot: "--what phase,groupDelay"),
    "peak": UnitPage(
      "For one bell: a resonance that is to go, a presence that is to come. For several take `equalizer`. "
        + "When `frequency` jumps with much `gain`, it passes what is between: up to 7 dB louder than both ends for a moment.",
      source: filter, plot: "gain=6dB --what magnitude,phase"),
    "lowShelf": UnitPage(
      "For more or less bass as a whole, below 100 to 300 Hz. "
        + "When `gain` jumps, the bass that the filter holds is raised too: below 20 Hz and by 90 dB that is heard for a moment, up to 29 dB above the new level.",
      source: filter,
      plot: "gain=6dB --what magnitude,phase"),
    "highShelf": UnitPage(
      "For more or less treble as a whole, above 3 to 10 kHz.", source: filter,
      plot: "gain=6dB --what magnitude,phase"),
    "dcBlock": UnitPage(
      "Behind what shifts a wave off its middle: asymmetric distortion, cheap converters.",
      plot: "--what magnitude,groupDelay"),
    "equalizer": UnitPage(
      "For the tone of a track or a mix, with as many bands as it takes.", source: filter,
      plot:
        "bands='[{\"type\":\"highPass\",\"frequency\":\"40 Hz\"},{\"type\":\"peak\",\"frequency\":\"400 Hz\",\"gain\":-4},"
        + "{\"type\":\"highShelf\",\"frequency\":\"6 kHz\",\"gain\":3}]' --what magnitude,phase"),
    "biquad": UnitPage(
      "For filters that another program has designed, and for those that no other unit has: a Linkwitz transform, a notch with "
        + "two frequencies.", source: filter,
      plot:
        "sections='[{\"b\":\"1 -1.8 0.9\",\"a\":\"1 -1.6 0.8\"}]' --what magnitude,phase"),
    "compressor": UnitPage(
      "To even out a voice, a bass or a mix. 3:1 with 3 to 6 dB of reduction is a place to begin.",
      source: dynamics, plot: "--what staticCurve,distortion"),
    "limiter": UnitPage(
      "As the last unit before a file or a sound card, so that nothing clips, between the samples too. "
        + "When `gain` jumps, peaks are limited at once and the level within the release: up to 3 dB louder for a moment.",
      source:
        "M. van Herk, A Fast Algorithm for Local Minimum and Maximum Filters, Pattern Recognition Letters 13 (1992), for the look-ahead.",
      plot: "--what staticCurve"),
    "gate": UnitPage(
      "Against noise between words and bleed between beats. The `range` keeps a rest, which sounds less cut.",
      plot: "--what staticCurve"),
    "expander": UnitPage(
      "To make pauses quieter by degrees, where a gate would be heard to open and close.",
      source: dynamics, plot: "--what staticCurve"),
    "deEsser": UnitPage(
      "Against a sharp s of a voice: set `frequency` with `listen` on, then `threshold`.",
      source: dynamics, plot: "--what magnitude"),
    "transient": UnitPage(
      "To bring the strokes of drums forward or back, and their room, whatever their level."),
    "dynamicEqualizer": UnitPage(
      "For a resonance that is there on some notes only: the bell goes down while it sounds.",
      source: "\(filter) \(dynamics)",
      plot: "bands='[{\"frequency\":\"300 Hz\",\"threshold\":-30}]' --what magnitude"),
    "multiband": UnitPage(
      "To hold the bass of a mix without its treble, or to make a programme dense. `crossover` splits alone.",
      source: "\(dynamics) \(linkwitzRiley)",
      plot:
        "bands='[{\"upTo\":\"200 Hz\",\"threshold\":-30},{\"upTo\":\"3 kHz\"},{\"threshold\":-24}]' --what magnitude,staticCurve"
    ),
    "crossover": UnitPage(
      "For loudspeakers with an amplifier for each driver, and to work on one band of a signal by itself.",
      source: linkwitzRiley),
    "linearCrossover": UnitPage(
      "Where bands are worked on and added up again and no phase is to turn, and time does not matter.",
      source: "The level of a Linkwitz-Riley filter; its impulse by residues. \(convolution)"),
    "saturator": UnitPage(
      "For warmth on a bus (`tape`), body on a voice (`tube`) or fuzz (`transistor`, `fold`).",
      source: bending, plot: "drive=12dB --what harmonics,staticCurve"),
    "clipper": UnitPage(
      "Before a limiter, for peaks so short that a limiter's release would be heard: drums, loud mixes.",
      source: bending, plot: "threshold=-6dB --what staticCurve,harmonics"),
    "amp": UnitPage(
      "For a guitar or a bass from its pickup, before `cabinet`. `drive` makes it rough, `power` and `sag` make it breathe.",
      source:
        "D. T. Yeh, J. O. Smith, Discretization of the '59 Fender Bassman Tone Stack, DAFx-06; \(bending)",
      plot: "preset=crunch --level -50 --what magnitude,harmonics"),
    "neuralAmp": UnitPage(
      "For a recorded amplifier or pedal, as thousands are published. Put a `cabinet` or a `convolver` after it unless the "
        + "model has its own loudspeaker. `input` sets how hard it is driven. Each channel computes its own copy: feed it mono.",
      source:
        "S. Atkinson, neural-amp-modeler; A. Wright et al., Real-Time Guitar Amplifier Emulation with Deep Learning, "
        + "Applied Sciences 10 (2020)."),
    "cabinet": UnitPage(
      "Behind `amp`, or behind any distortion that is too shrill. For a recorded impulse take `convolver`.",
      source: "A made impulse. \(convolution)", plot: "--what magnitude"),
    "denoise": UnitPage(
      "Against noise that is steady or changes its level from second to second: fans, hum, hiss, a camera. `reduction` of 10 dB is seldom heard, 20 dB may be.",
      source:
        "Y. Ephraim, D. Malah, IEEE Trans. ASSP 33 (1985); T. Gerkmann, R. C. Hendriks, IEEE Trans. ASLP 20 (2012)."
    ),
    "speechDenoise": UnitPage(
      "Live, for a voice in noise that changes. For a finished recording `denoise` leaves more of the voice.",
      source:
        "J. Sohn, N. S. Kim, W. Sung, A Statistical Model-Based Voice Activity Detection, IEEE Signal Processing Letters 6 (1999)."
    ),
    "echoCancel": UnitPage(
      "For a call or a stream without headphones: lead what the loudspeaker plays into `reference`, in mono where you can.",
      source:
        "libspeexdsp; J.-M. Valin, On Adjusting the Learning Rate in Frequency Domain Echo Cancellation with Double-Talk, "
        + "IEEE Trans. ASLP 15 (2007)."),
    "tuner": UnitPage(
      "First in a guitar's chain: `fxrun control guitar get tuner.cents` while it plays with `--control guitar`.",
      source: "P. McLeod, G. Wyvill, A Smarter Way to Find Pitch, ICMC 2005."),
    "spectrum": UnitPage(
      "To see where a sound has its energy, live or in the summary of a render.",
      source: "IEC 61260-1."),
    "delay": UnitPage(
      "For echoes, in milliseconds or in notes, and with short times for doubling. "
        + "When `time` jumps, the echoes bend in pitch and their bass comes with up to 2.5 dB more for a moment.",
      plot: "wet=0.5 --what impulse"),
    "reverb": UnitPage(
      "To put dry tracks into a room. Begin with a preset and set `wet`.",
      source:
        "J.-M. Jot and A. Chaigne, Digital Delay Networks for Designing Artificial Reverberators, AES 90 (1991); "
        + "M. R. Schroeder, Natural Sounding Artificial Reverberation, JAES 10 (1962).",
      plot: "wet=1 --what impulse"),
    "convolver": UnitPage(
      "For recorded rooms, loudspeakers and guitar cabinets, and for filters that another program made.",
      source: convolution),
    "align": UnitPage(
      "To bring microphones and speakers at different distances into one time: 2.9 ms a metre."),
    "tremolo": UnitPage(
      "For a guitar or an electric piano: the level goes up and down, in hertz or in notes (`\"rate\": \"1/8\"`). "
        + "After a jump of the speed it goes on from where it is: up to 2.5 dB louder than a fast one on average, if that is its loudest place."
    ),
    "autoPan": UnitPage("To let a pad, a percussion or an effect wander between the loudspeakers."),
    "chorus": UnitPage(
      "To make one voice, guitar or synthesizer sound like several; in stereo it widens as well. "
        + "When `time` jumps, the pitch bends and the bass comes with up to 2.5 dB more for a moment.",
      source: "J. Dattorro, Effect Design 2: Delay-Line Modulation and Chorus, JAES 45 (1997)."),
    "vibrato": UnitPage(
      "To let a steady tone waver: 0.4 ms at 5 Hz are 22 cents to either side. "
        + "When `time` jumps, the pitch bends and the bass comes with up to 2 dB more for a moment.",
      source: "J. Dattorro, Effect Design 2: Delay-Line Modulation and Chorus, JAES 45 (1997)."),
    "flanger": UnitPage(
      "For the sound of a jet: `feedback` sharpens the notches, `throughZero` is that of two tape machines.",
      source: "J. Dattorro, Effect Design 2: Delay-Line Modulation and Chorus, JAES 45 (1997)."),
    "phaser": UnitPage(
      "For guitars, electric pianos and strings. Two `stages` make one notch. "
        + "With `feedback` near its ends, what circulates when `depth` jumps rings on: up to 2.5 dB louder for a moment.",
      source:
        "A. H. Gray, J. D. Markel, A Normalized Digital Filter Structure, IEEE Trans. ASSP 23 (1975).",
      plot: "depth=0 feedback=0 wet=0.5 --what magnitude"),
    "ringModulator": UnitPage("For bells, robots and tones that fit no key."),
    "frequencyShifter": UnitPage(
      "A few hertz against acoustic feedback or for slow beats beside the sound itself, hundreds for metal.",
      source:
        "R. Ansari, IIR Discrete-Time Hilbert Transformers, IEEE Trans. ASSP 35 (1987)."),
    "rotary": UnitPage(
      "For organs, guitars and voices; `fast` by automation or `fxrun control`, and listen to the rotors get there.",
      source:
        "J. O. Smith, S. Serafin, J. Abel, D. Berners, Doppler Simulation and the Leslie, DAFx-02."),
    "autoWah": UnitPage(
      "For a guitar, a bass or an electric piano that is played with accents. "
        + "When `range` jumps, the filter passes what is between: up to 2 dB louder than both ends for a moment.",
      source: "A. Simper, Linear Trapezoidal Integrated SVF (2013)."),
    "exciter": UnitPage(
      "For what sounds dull and has no treble to raise: speech from a telephone, old records, a dark guitar.",
      source: bending),
    "bitcrusher": UnitPage(
      "For the sound of early samplers and games. Its aliases are what it is there for; put a `lowPass` before it for fewer."
    ),
    "tape": UnitPage(
      "For the warmth of a tape machine, or the wear of a cassette. A mix takes `drive` of 3 to 6 dB, an effect more.",
      source: bending + " Emphasis of 50 µs: IEC 60094-1."),
    "vinyl": UnitPage(
      "For the sound of a record: a little crackle under a song, or a gramophone in a radio play. `downmix` before it makes a mono record."
    ),
    "looper": UnitPage(
      "To play over what was just played: map a foot switch to `pedal` and one to `stop`. "
        + "[A looper](live.md#a-looper) has a chain for it. All presses act at their frame, without a click: starts, stops, undo, speed and direction "
        + "fade over 5 ms. The first frame of a loop keeps its attack, because only the end of the loop is crossfaded, to the 5 ms before its beginning. "
        + "Memory is allocated before the chain plays: two layers, so 46 MB for `seconds` of 60 in stereo at 48 kHz. A recording that fills it closes. "
        + "A recording always has full speed and runs forwards; `halfSpeed` and `reverse` change how it is played and overdubbed. "
        + "Loops keep their length in frames when the tempo changes. A loop is no tail: a render ends with its input unless `tail` says otherwise.",
      source:
        "For half speed: A. V. Oppenheim, R. W. Schafer, Discrete-Time Signal Processing, chapter 7."
    ),
    "pitch": UnitPage(
      "To tune a track, to lower or raise a voice, and for octaves beside the sound itself (`\"wet\": 0.5`). "
        + "Its latency on a sound card is 33 ms at 48 kHz, 17 ms with `\"window\": \"short\"` and 65 ms with "
        + "`\"window\": \"long\"`. A `quality` of `live` makes a file sound as on a sound card. The latency in files is "
        + "larger, and fxrun removes it.",
      source:
        "J. Laroche, M. Dolson, Improved Phase Vocoder Time-Scale Modification of Audio, "
        + "IEEE Trans. Speech and Audio Processing 7 (1999); J. Bonada, Automatic Technique in Frequency Domain for "
        + "Near-Lossless Time-Scale Modification of Audio, ICMC 2000; A. Röbel, A New Approach to Transient Processing "
        + "in the Phase Vocoder, DAFx-03."),
    "spatial": UnitPage(
      "For radio plays, games and headphone mixes: move `azimuth` by an `lfo`, and the sound goes around the head.",
      source:
        "R. S. Woodworth, Experimental Psychology (1938); C. P. Brown, R. O. Duda, A Structural Model for Binaural "
        + "Sound Synthesis, IEEE Trans. Speech and Audio Processing 6 (1998); libmysofa."),
    "binaural": UnitPage(
      "To hear films and surround mixes over headphones as from loudspeakers.",
      source: "The same as of `spatial`; loudspeakers stand as in ITU-R BS.775-3 and BS.2051-3."),
    "crossfeed": UnitPage(
      "As the last unit of a chain for headphones: old stereo with instruments at one side alone is easier to hear.",
      source: "B. B. Bauer, Stereophonic Earphones and Binaural Loudspeakers, JAES 9 (1961).",
      plot: "--feed 1 --what magnitude"),
    "haas": UnitPage(
      "To spread a mono guitar or synthesizer. Listen in mono as well: it becomes a comb there.",
      source: "H. Haas, The Influence of a Single Echo on the Audibility of Speech, JAES 20 (1972)."
    ),
    "matrix": UnitPage(
      "To swap, copy and mix channels of any number; a channel that no route leads to is silent."),
    "channelMap": UnitPage(
      "For stereo into a 5.1 programme, 5.1 with its surrounds elsewhere, or one microphone of many: `\"to\": \"mono\", \"map\": \"FC=2\"`."
    ),
    "midSideEncode": UnitPage(
      "To work on the middle and the sides of a stereo sound on their own; channel 1 is the middle, 2 the sides."
    ),
    "midSideDecode": UnitPage(
      "Behind `midSideEncode`, or for a pair of microphones of which the second hears the sides."),
    "crossfade": UnitPage(
      "To go from one sound to another, by hand, by automation or by a modulator."),
    "switch": UnitPage(
      "To compare settings, and to choose one of several sounds live: `fxrun control guitar set switch.select 2`."
    ),
    "voiceActivity": UnitPage(
      "To let a voice turn music down, start a recording, or open a gate for speech alone.",
      source:
        "J. Sohn, N. S. Kim, W. Sung, A Statistical Model-Based Voice Activity Detection, IEEE Signal Processing Letters 6 (1999)."
    ),
    "metronome": UnitPage(
      "To play along with, live or on a track of its own. It follows the chain's `tempo` and `metre`, and the clock of a performer."
    ),
    "lfo": UnitPage(
      "To move a parameter up and down: tremolo by a gain, wah by a filter, chorus by a delay."),
    "envelope": UnitPage(
      "To let the loudness of a sound move a parameter: auto-wah, ducking, a gate of one's own."),
    "steps": UnitPage("To move a parameter in a rhythm, with `rate` in notes."),
    "random": UnitPage(
      "To keep a long sound from being the same all the time, and for sample and hold."),
    "expression": UnitPage(
      "Where one control signal is to be made of several, or bent by a formula."),
  ]

  /// Nanoseconds per stereo frame, by the name of the unit, with its revision for an earlier one.
  /// Each is the minimum of five renders of 20 s of noise with `--profile`, on one core of an AMD
  /// EPYC. Units have their defaults, an equalizer of four bands, a dynamic one of two, and an
  /// impulse of one second. A unit that takes less than 1 ns is measured as sixty in a row.
  package static let costs: [String: Double] = [
    "gain": 0.2, "normalize": 0.2, "loudness": 0.2, "pan": 0.2, "width": 0.7, "mixer": 0.2,
    "downmix": 0.2,
    "meter": 17, "tuner": 45, "spectrum": 27, "highPass": 5, "lowPass": 5, "bandPass": 5,
    "notch": 5, "allPass": 5, "peak": 5, "lowShelf": 5, "highShelf": 5, "dcBlock": 5,
    "equalizer": 6, "biquad": 5, "compressor": 7, "limiter": 8, "gate": 6, "expander": 9,
    "deEsser": 22, "transient": 14, "dynamicEqualizer": 28, "multiband": 55, "denoise": 180,
    "speechDenoise": 180, "echoCancel": 950,
    "delay": 7, "reverb": 27, "convolver": 90, "saturator": 45, "clipper": 60, "amp": 180,
    "reverb@1": 9, "limiter@1": 3, "neuralAmp": 700, "cabinet": 50, "align": 2, "crossover": 24,
    "linearCrossover": 105, "tremolo": 10, "autoPan": 17, "chorus": 70, "vibrato": 26,
    "flanger": 51, "phaser": 40, "ringModulator": 10, "frequencyShifter": 50, "rotary": 78,
    "autoWah": 26, "exciter": 61,
    "bitcrusher": 4, "tape": 92, "vinyl": 57, "pitch": 440, "pitch@1": 215, "spatial": 18,
    "binaural": 22,
    "crossfeed": 6, "haas": 2,
    "matrix": 0.2, "channelMap": 1, "metronome": 8, "midSideEncode": 0.7, "midSideDecode": 0.7,
    "crossfade": 2, "switch": 0.8,
  ]
}
