import FxAudio
import FxChain
package import FxGraph
import FxDiagnostics
import FxMedia

/// What a chain is rendered or played from, into, and with which changes.
public struct RenderRequest: Sendable {
  /// A change of one parameter: `comp.threshold` to `-18 dB`.
  public struct Setting: Sendable {
    public var parameter: String
    public var value: String

    public init(_ parameter: String, _ value: String) {
      self.parameter = parameter
      self.value = value
    }
  }

  /// A node, and the file that records its output.
  public struct Tap: Sendable {
    public var node: String
    public var file: String

    public init(_ node: String, _ file: String) {
      self.node = node
      self.file = file
    }
  }

  /// A part of the sound that players can go to.
  public struct Chapter: Sendable {
    public var title: String
    /// Seconds from the start of the output.
    public var start: Double

    public init(_ title: String, start: Double) {
      self.title = title
      self.start = start
    }
  }

  /// Files or addresses by the name of the chain's input; `-` is standard input.
  public var inputs: [String: String]
  /// Files by the name of the chain's output; `-` is standard output.
  public var outputs: [String: String]
  /// Samples by the name of the chain's input, in place of a file.
  public var sampleInputs: [String: SampleInput] = [:]
  /// Samples by the name of the chain's output, in place of a file.
  public var sampleOutputs: [String: SampleOutput] = [:]
  /// Applied in order before the first frame, in the chain's spelling and units of measure.
  public var settings: [Setting] = []
  /// Nodes that pass their input on.
  public var bypassed: [String] = []
  /// The scene to begin with, in place of the chain's.
  public var scene: String?
  /// Files that record what comes out of a node, by the node.
  public var taps: [Tap] = []
  /// Seconds of the main input to leave out.
  public var start = 0.0
  /// Seconds to take from there; nil for all.
  public var duration: Double?
  /// The part of the files that is played over and over; into a file for `duration`. Where `start`
  /// is 0 it begins with the part.
  public var loop: LiveLoop?
  /// Frames a second in place of the chain's own, 1000 to 768000; live the device has the last word.
  public var sampleRate: Double?
  /// How sounds of another rate are converted, in place of what the chain says: `low`, `medium`, `high`
  /// or `veryHigh`.
  public var resampling: String?
  /// The qualities that `resampling` may be.
  public static let resamplings = RateConversion.Quality.allCases.map(\.rawValue)
  /// Block size in frames, in place of the chain's own.
  public var blockSize: Int?
  /// Threads that render, beside those that decode and write; nil for one a processor where that pays.
  /// Live they render the parts of each block that do not wait for one another. The sound is the same
  /// with any number.
  public var threads: Int?
  /// How a sound device is used.
  public var live = LiveSettings()
  /// The summary says what each node took, offline as well.
  public var measuresNodes = false
  /// So does it for sums and delays; on one thread.
  package var measuresSteps = false
  /// Nanoseconds a frame that nodes took, by their names, for dividing the chain among threads.
  package var nodeCosts: [String: Double] = [:]
  /// Bytes that the chain may need for its sound; nil for half of what the process may use, at most
  /// 4 GiB. A chain that needs more is refused before it allocates any.
  public var memoryLimit: Int?
  /// Live: seconds of a stream that are there before it plays, and again after it ran dry.
  public var streamBuffer = StreamSettings.usualBufferSeconds
  /// A file that keeps the bytes of the first stream, as they come.
  public var savedStream: String?
  /// Seconds after which a file or a device that does not answer is given up.
  package var openingSeconds = 10.0
  /// The part of the main input that is repeated or reversed.
  var piece: (start: Double, duration: Double?)?
  /// In place of files that are not named and of devices: sounds that are made and kept in memory.
  package var memory: MemoryEndpoints?
  /// What passes each node gets a fingerprint (`RenderJob.renderWithFingerprints`).
  package var takesFingerprints = false
  /// Frames of each side of every node that are kept beside its fingerprint, at most.
  package var recordedFrameCount = 0
  /// Another graph in place of the chain's, with as many nodes: to hear what a part of it is for.
  package var change: (@Sendable (inout Graph) -> Void)?
  /// What killed processes have written of the outputs stays, under partial names; false where it is
  /// rendered again anyway, and removed.
  package var keepsPartials = true
  /// Seconds after the sound, in place of the tail that the chain says.
  package var tail: Double?
  /// Changes that were made while the chain played, to be made again at the same frames.
  public var replay: LiveLog?
  /// Further files of the main output.
  public var copies: [String] = []
  /// The format of the outputs named here: `wav`, `flac`, `ogg` …; nil: as the ends of their names say, WAV
  /// on standard output.
  public var format: String?
  /// Bits of a sample in files that the chain does not speak of: 16, 24 or 32 (float).
  public var bits: Int?
  /// Triangular dither before rounding to 16 bits.
  public var isDithered = true
  /// Decibels that the highest peak of the outputs named here is brought to; nil leaves them as they
  /// are. The whole sound is measured first, so not while it is played.
  public var normalizedPeak: Double?
  /// With 32 bits: whole numbers in place of floats.
  public var writesIntegers = false
  /// Moves the noise of rounding to 8 or 16 bits to where the ear hears it less.
  public var shapesNoise = false
  /// Bits a second of .mp3 and .opus, in thousands; nil for the encoder's usual quality.
  public var kilobits: Int?
  /// From 0 to 1: .mp3 and .ogg.
  public var quality: Double?
  /// From 0, fast, to 8, small: .flac.
  public var compression: Int?
  /// The outputs named here get tags that say how loud they are: ReplayGain, or R128 in Opus.
  public var tagsLoudness = false
  /// Texts that the tags of the outputs named here are to have, by their key: `title`; an empty one takes
  /// the input's away.
  public var tags: [String: String] = [:]
  /// The outputs get the tags of the main input, apart from those of its own encoding and loudness.
  public var carriesTags = true
  /// A picture file to be the cover, in place of the input's.
  public var cover: String?
  /// In place of the input's.
  public var chapters: [Chapter] = []
  /// How the main input is played, beside what the chain says of it.
  public var mainInput = MainInput()
  /// The loudness in LUFS that the main output is brought to, with true peaks below -1 dBTP; nil leaves
  /// it as it is. The whole sound is measured first; live it follows slowly.
  public var loudness: Double?
  /// What is done to the ends of the sound in the files that are named here.
  public var ends = Ends()
  /// Divides the files that are named here; their names may have the fields `{n}`, `{title}` and
  /// `{name}`.
  public var split: Split?
  /// What counts as silence for `split`.
  public var silence = Silence()

  /// When the files that are named here are written; nil for always.
  public var recording: Recording?

  public init(inputs: [String: String] = [:], outputs: [String: String] = [:]) {
    self.inputs = inputs
    self.outputs = outputs
  }

  /// From one file into another.
  public init(input: String, output: String) {
    self.init(inputs: ["main": input], outputs: ["main": output])
  }

  /// Formats that can be written.
  public static var formats: [String] { FileEncoding.formats }

  /// Blocks that can be asked for, in frames.
  package static let blockSizes = 1...8192
  /// Threads that can be asked for.
  package static let threadCounts = 1...64
  /// Bits of a sample that files can have.
  package static let bitDepths = [8, 16, 24, 32, 64]

  /// Refuses numbers that no render has.
  package func check() throws(ChainFailure) {
    let times = 0.0...1e9
    if !times.contains(start) {
      throw .outOfRange("the start is \(shortNumber(start)) s; it is 0 or more")
    }
    if let duration, !times.contains(duration) {
      throw .outOfRange("the duration is \(shortNumber(duration)) s; it is 0 or more")
    }
    if let loop {
      for place in [loop.from, loop.to ?? loop.from] { _ = try place.frame(sampleRate: 48000) }
    }
    if let blockSize, !Self.blockSizes.contains(blockSize) {
      throw .outOfRange("a block is 1 to 8192 frames, not \(blockSize)")
    }
    if let threads, !Self.threadCounts.contains(threads) {
      throw .outOfRange("1 to 64 threads can render, not \(threads)")
    }
    if let sampleRate, !ChainFormat.sampleRates.contains(sampleRate) {
      throw .outOfRange("a sample rate is 1000 to 768000 Hz, not \(shortNumber(sampleRate))")
    }
    if let sampleRate, sampleRate != sampleRate.rounded() {
      throw .outOfRange("a sample rate is a whole number of hertz, not \(shortNumber(sampleRate))")
    }
    if let resampling, !Self.resamplings.contains(resampling) {
      throw .outOfRange(
        "a resampling is \(Self.resamplings.joined(separator: ", ")), not '\(resampling)'")
    }
    let piped = inputs.filter { $0.value == "-" }.keys.sorted()
    if piped.count > 1 { throw .sharedStandardInput(piped.map { "'\($0)'" }) }
    try live.check()
    try checkEditing()
    try recording?.check()
    for (name, input) in sampleInputs {
      let format = input.format
      guard (100...3_072_000).contains(format.sampleRate),
        (1...maximumBusWidth).contains(format.channels)
      else {
        throw .outOfRange(
          "no sound has \(format.channels) channels at \(format.sampleRate) Hz: the input '\(name)'"
        )
      }
    }
    if let name = sampleInputs.keys.sorted().first(where: { inputs[$0] != nil }) {
      throw .boundTwice("the input '\(name)'")
    }
    if let name = sampleOutputs.keys.sorted().first(where: { outputs[$0] != nil }) {
      throw .boundTwice("the output '\(name)'")
    }
    if let memoryLimit, memoryLimit <= 0 {
      throw .outOfRange("the memory is \(memoryLimit) bytes; it is more than 0")
    }
    if !StreamSettings.bufferSeconds.contains(streamBuffer) {
      throw .outOfRange("the buffer of a stream is 0.1 to 60 s, not \(shortNumber(streamBuffer))")
    }
    if let format, !FileEncoding.formats.contains(format) {
      throw .outOfRange(
        "'\(format)' is no format that can be written: \(FileEncoding.formats.joined(separator: ", "))"
      )
    }
    if let bits, !Self.bitDepths.contains(bits) {
      throw .outOfRange("a sample has 8, 16, 24, 32 or 64 bits, not \(bits)")
    }
    if let kilobits, !FileEncoding.bitRates.contains(kilobits) {
      throw .outOfRange("a bit rate is 6 to 512 kbit/s, not \(kilobits)")
    }
    if let quality, !FileEncoding.qualities.contains(quality) {
      throw .outOfRange("a quality is 0 to 1, not \(shortNumber(quality))")
    }
    if kilobits != nil, quality != nil {
      throw .outOfRange("a bit rate and a quality exclude each other: give one of them")
    }
    if let compression, !FileEncoding.compressions.contains(compression) {
      throw .outOfRange("a compression is 0 to 8, not \(compression)")
    }
    if let normalizedPeak, !FileEncoding.peaks.contains(normalizedPeak) {
      throw .outOfRange("a peak is normalized to -100 to 0 dB, not \(shortNumber(normalizedPeak))")
    }
  }

  /// How files given here are written.
  var encoding: FileEncoding {
    var encoding = FileEncoding(
      format: format,
      depth: bits.flatMap { FileEncoding.Depth(bits: $0, isInteger: writesIntegers) },
      isDithered: isDithered, shapesNoise: shapesNoise, normalizedPeak: normalizedPeak,
      kilobits: kilobits, quality: quality, compression: compression, tagsLoudness: tagsLoudness,
      tags: tags)
    encoding.shape = OutputShape(
      fadeIn: ends.fadeIn, fadeOut: ends.fadeOut, padStart: ends.padStart, padEnd: ends.padEnd)
    encoding.split = split?.rule
    encoding.silence = silence.rule
    return encoding
  }

  /// The same for the main output and its copies, which have 24 bits unless told otherwise.
  var namedEncoding: FileEncoding {
    var encoding = encoding
    if encoding.depth == nil { encoding.depth = .int24 }
    return encoding
  }

  /// How files of taps are written, which are whole.
  var tapEncoding: FileEncoding {
    var encoding = encoding
    encoding.shape = OutputShape()
    encoding.split = nil
    return encoding
  }

  /// How a sink is written. The chain says it for files that it names, the request for those that it
  /// names itself.
  func encoding(of endpoint: SinkEndpoint) -> FileEncoding {
    switch endpoint.nature {
    case .file, .stream: return endpoint.encoding
    case .bound, .device, .discarded: return namedEncoding
    }
  }

  /// Where in the files the render begins.
  func startSeconds(sampleRate: Double) -> Double {
    guard start == 0 else { return start }
    return loop?.from.seconds(sampleRate: sampleRate) ?? 0
  }

  /// True for an input that is not recorded: it has a file, or is made in memory.
  func binds(_ input: String) -> Bool {
    inputs[input] != nil || sampleInputs[input] != nil || memory != nil
  }

  var overrides: [ChainEnvironment.Override] {
    settings.map { ChainEnvironment.Override(parameter: $0.parameter, value: $0.value) }
  }
}

extension ChainFailure {
  static func outOfRange(_ message: String) -> ChainFailure {
    ChainFailure(.request, code: "out-of-range", message)
  }

  static func boundTwice(_ name: String) -> ChainFailure {
    ChainFailure(.request, code: "usage", "\(name) has a file and samples; leave one out")
  }

  /// Standard input can be read once.
  static func sharedStandardInput(_ readers: [String]) -> ChainFailure {
    ChainFailure(
      .request, code: "usage",
      "standard input is to be read by \(readers.joined(separator: " and ")); "
        + "give all but one of them a file")
  }
}
