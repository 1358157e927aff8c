/// What the reference page says of a unit beside its declaration.
package struct UnitPage: Sendable {
  /// What it is for, with a value to begin with where that helps.
  package var usage: String
  /// Where its method is from; nil for plain arithmetic.
  package var source: String?
  /// What follows the unit's name in the `fxrun plot` that draws its picture; nil where a picture says
  /// nothing.
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
  private static let crossover =
    "S. H. Linkwitz, Active Crossover Networks for Noncoincident Drivers, JAES 24 (1976); "
    + "J. D'Appolito, Active Realization of Multiway All-Pass Crossover Systems, JAES 35 (1987)."
  private static let dynamics =
    "D. Giannoulis, M. Massberg, J. D. Reiss, Digital Dynamic Range Compressor Design, JAES 60 (2012)."

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
      "Against rumble, wind and handling noise: 80 Hz for a voice, 30 Hz for a mix.",
      source: filter,
      plot: "--what magnitude,groupDelay"),
    "lowPass": UnitPage(
      "Against hiss and harshness, and to make an echo or a synthesizer darker.", source: filter,
      plot: "frequency=1kHz --what magnitude,groupDelay"),
    "bandPass": UnitPage(
      "For the sound of a telephone or a small radio, and in a side-chain that is to hear one instrument.",
      source: filter, plot: "--what magnitude,phase"),
    "notch": UnitPage(
      "Against a single tone: mains hum at 50 or 60 Hz, a whistle, feedback.", source: filter,
      plot: "--what magnitude,groupDelay"),
    "allPass": UnitPage(
      "To match the phase of two microphones, and for phasers: several in a row, moved by an `lfo`, mixed with the signal.",
      source: filter, plot: "--what phase,groupDelay"),
    "peak": UnitPage(
      "For one bell: a resonance that is to go, a presence that is to come. For several take `equalizer`.",
      source: filter, plot: "gain=6dB --what magnitude,phase"),
    "lowShelf": UnitPage(
      "For more or less bass as a whole, below 100 to 300 Hz.", source: filter,
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
    "compressor": UnitPage(
      "To even out a voice, a bass or a mix. 3:1 with 3 to 6 dB of reduction is a place to begin.",
      source: dynamics, plot: "--what staticCurve,distortion"),
    "limiter": UnitPage(
      "As the last unit before a file or a sound card, so that nothing clips, between the samples too.",
      source:
        "M. van Herk, A Fast Algorithm for Local Minimum and Maximum Filters, Pattern Recognition Letters 13 (1992), for the look-ahead.",
      plot: "--what staticCurve"),
    "gate": UnitPage(
      "Against noise between words and bleed between beats. The `range` keeps a rest, which sounds less cut.",
      plot: "--what staticCurve"),
    "delay": UnitPage(
      "For echoes, in milliseconds or in beats, and with short times for doubling.",
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
    "tuner": UnitPage(
      "To tune a guitar live, and to let a pitch move a parameter.",
      source: "P. McLeod and G. Wyvill, A Smarter Way to Find Pitch, ICMC (2005)."),
    "spectrum": UnitPage(
      "To see which bands are loud, live or through the control socket."),
    "expander": UnitPage(
      "Like a gate, but gently: for rooms between words and amplifiers between chords.",
      plot: "--what staticCurve"),
    "deEsser": UnitPage(
      "For a voice whose S is sharp. Set `frequency` with `listen` on, then `threshold`.",
      plot: "--what magnitude"),
    "transient": UnitPage(
      "For drums that lack attack, or have too much room, at any level."),
    "dynamicEqualizer": UnitPage(
      "For a resonance that is only at times too loud: a boomy note, a harsh chord.",
      source: filter,
      plot: "bands='[{\"frequency\":\"300 Hz\",\"threshold\":-30}]' --what magnitude"),
    "multiband": UnitPage(
      "For a master whose bass pumps the rest, and for a voice that is thin when quiet and boomy when loud.",
      source: crossover + " " + dynamics,
      plot:
        "bands='[{\"upTo\":\"200 Hz\",\"threshold\":-30},{\"upTo\":\"3 kHz\"},{\"threshold\":-24}]' --what magnitude,staticCurve"
    ),
    "denoise": UnitPage(
      "Against steady noise: hiss, hum, a fan. With `learn` `span` it takes the noise from a pause that you name.",
      source:
        "Y. Ephraim and D. Malah, IEEE Trans. ASSP 32 (1984) and 33 (1985); T. Gerkmann and R. C. Hendriks, IEEE Trans. ASLP 20 (2012)."
    ),
    "saturator": UnitPage(
      "For warmth at a few dB of `drive`, and for audible distortion at many.",
      plot: "drive=12dB --what staticCurve,harmonics"),
    "clipper": UnitPage(
      "Before a limiter, to shave short peaks off drums, so that the limiter has less to do.",
      plot: "threshold=-6dB --what staticCurve,harmonics"),
    "amp": UnitPage(
      "For a guitar or a bass recorded straight from its pickup; put a `cabinet` behind it.",
      source:
        "The tone controls: D. T. Yeh and J. O. Smith, Discretization of the '59 Fender Bassman Tone Stack, DAFx (2006).",
      plot: "preset=crunch --level -50 --what magnitude,harmonics"),
    "cabinet": UnitPage(
      "Behind `amp` or another distortion, which are shrill without a loudspeaker.",
      plot: "--what magnitude,impulse"),
    "crossover": UnitPage(
      "To treat bands apart and add them again, and for loudspeakers of several ways.",
      source: crossover),
    "linearCrossover": UnitPage(
      "Like `crossover`, where the phase must stay: parallel compression of bands, mastering. It is late."
    ),
    "lfo": UnitPage(
      "To move a parameter up and down: tremolo by a gain, wah by a filter, chorus by a delay."),
    "envelope": UnitPage(
      "To let the loudness of a sound move a parameter: auto-wah, ducking, a gate of one's own."),
    "steps": UnitPage("To move a parameter in a rhythm, with `rate` in beats."),
    "random": UnitPage(
      "To keep a long sound from being the same all the time, and for sample and hold."),
    "expression": UnitPage(
      "Where one control signal is to be made of several, or bent by a formula."),
  ]

  /// Nanoseconds a stereo frame, by the name of the unit: the least of five renders of 20 s of noise
  /// with `--profile` on one core of an AMD EPYC, with the defaults, an equalizer of four bands, a
  /// dynamic one of two and an impulse of one second.
  package static let costs: [String: Int] = [
    "gain": 1, "normalize": 1, "loudness": 1, "pan": 1, "width": 1, "mixer": 1, "downmix": 1,
    "meter": 17, "tuner": 45, "spectrum": 27, "highPass": 5, "lowPass": 5, "bandPass": 5,
    "notch": 5, "allPass": 5, "peak": 5, "lowShelf": 5, "highShelf": 5, "dcBlock": 5,
    "equalizer": 6, "compressor": 7, "limiter": 17, "gate": 7, "expander": 8, "deEsser": 20,
    "transient": 16, "dynamicEqualizer": 50, "multiband": 50, "denoise": 115,
    "delay": 7, "reverb": 35, "convolver": 90, "saturator": 45, "clipper": 60, "amp": 180,
    "cabinet": 50, "align": 1, "crossover": 10, "linearCrossover": 50,
  ]
}
