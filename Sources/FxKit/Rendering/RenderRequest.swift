import FxAudio
import FxChain
package import FxEngine
import FxMedia

/// A request to render or play a chain: its inputs, outputs and settings.
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

  /// A chapter mark in the output.
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
  /// The formats of input files without a header, by the name of the chain's input:
  /// `s16le,48000,2`. Such a file is not recognized by its content.
  public var rawInputs: [String: String] = [:]
  /// Samples by the name of the chain's input, in place of a file.
  public var sampleInputs: [String: SampleInput] = [:]
  /// Samples by the name of the chain's output, in place of a file.
  public var sampleOutputs: [String: SampleOutput] = [:]
  /// Applied in order before the first frame, in the chain's spelling and units of measure.
  public var settings: [Setting] = []
  /// The bypassed nodes.
  public var bypassed: [String] = []
  /// The scene to begin with, in place of the chain's.
  public var scene: String?
  /// Files that record the outputs of nodes.
  public var taps: [Tap] = []
  /// Seconds to skip at the start of the main input.
  public var start = 0.0
  /// Seconds of the sound from `start` on, without its tail; nil for all.
  public var duration: Double?
  /// The part of the files to repeat; offline for `duration`. If `start` is 0, the render begins
  /// with this part.
  public var loop: LiveLoop?
  /// Replaces the chain's sample rate, 1000 to 768000 Hz; live, the device decides.
  public var sampleRate: Double?
  /// The quality of sample rate conversion, in place of the chain's: `low`, `medium`, `high` or
  /// `veryHigh`.
  public var resampling: String?
  /// The possible values of `resampling`.
  public static let resamplings = RateConversion.Quality.allCases.map(\.rawValue)
  /// Replaces the chain's block size, in frames.
  public var blockSize: Int?
  /// The number of render threads, besides those that decode and write; nil for one per processor
  /// if that is faster. Live, they render independent parts of each block. The sound is the same
  /// with any number.
  public var threads: Int?
  /// How a sound device is used.
  public var live = LiveSettings()
  /// Measures the time of each node for the summary, offline too.
  public var measuresNodes = false
  /// Measures the time of each sum and delay too; on one thread.
  package var measuresSteps = false
  /// Measured costs of nodes in nanoseconds per frame, by name, for dividing the chain among
  /// threads.
  package var nodeCosts: [String: Double] = [:]
  /// The memory limit for the chain's sound in bytes; nil for half of the memory that the process
  /// may use, at most 4 GiB. A chain that needs more is refused before it allocates memory.
  public var memoryLimit: Int?
  /// Live: seconds of a stream to buffer before it plays, and again after an underrun.
  public var streamBuffer = StreamSettings.usualBufferSeconds
  /// Seconds to wait for a server: for its connection, its first byte, and each further byte. nil for
  /// 10, 20 and 15 s.
  public var streamTimeout: Double?
  /// Attempts in a row without a byte before a stream has failed; nil for 6.
  public var streamAttempts: Int?
  /// A file for the received bytes of the first stream.
  public var savedStream: String?
  /// The timeout for opening a file or a device, in seconds.
  package var openingSeconds = 10.0
  /// The part of the main input that is repeated or reversed.
  var piece: (start: Double, duration: Double?)?
  /// Sources and sinks in memory that replace unnamed files and devices.
  package var memory: MemoryEndpoints?
  /// Makes fingerprints of each node's signals (`RenderJob.renderWithFingerprints`).
  package var takesFingerprints = false
  /// The maximum number of frames kept of each input and output of a node, in addition to its
  /// fingerprint.
  package var recordedFrameCount = 0
  /// Changes the graph, keeping the number of nodes, to find the effect of a part.
  package var change: (@Sendable (inout Graph) -> Void)?
  /// Keeps partial outputs of killed processes, under partial names. False removes them, because
  /// the outputs are rendered again anyway.
  package var keepsPartials = true
  /// Replaces the chain's tail, in seconds.
  package var tail: Double?
  /// The log of a performance, whose changes are repeated at the same frames.
  public var replay: LiveLog?
  /// More files for the main output.
  public var copies: [String] = []
  /// The format of the outputs named here: `wav`, `flac`, `ogg` …; nil for the format of their file
  /// extensions, and WAV on standard output.
  public var format: String?
  /// Bits per sample of the outputs named here: 8, 16, 24, 32 (float, or integer with
  /// `writesIntegers`) or 64 (float).
  public var bits: Int?
  /// Adds triangular dither before rounding to 8 or 16 bits.
  public var isDithered = true
  /// The peak level in decibels that the outputs named here are normalized to; nil for none. The
  /// whole sound is measured first, so this is not possible live.
  public var normalizedPeak: Double?
  /// With 32 bits: writes integers instead of floats.
  public var writesIntegers = false
  /// Shapes the noise of rounding to 8 or 16 bits, so that it is less audible.
  public var shapesNoise = false
  /// The bit rate of .mp3 and .opus in kbit/s; nil for the encoder's default quality.
  public var kilobits: Int?
  /// The quality of .mp3 and .ogg, from 0 to 1.
  public var quality: Double?
  /// The compression level of .flac, from 0 (fast) to 8 (small).
  public var compression: Int?
  /// Writes loudness tags to the outputs named here: ReplayGain, or R128 in Opus.
  public var tagsLoudness = false
  /// Texts for the tags of the outputs named here, by key such as `title`; an empty text removes
  /// the input's.
  public var tags: [String: String] = [:]
  /// Copies the tags of the main input to the outputs, except those about its encoding and
  /// loudness.
  public var carriesTags = true
  /// A picture file that replaces the input's cover.
  public var cover: String?
  /// Replace the input's chapters.
  public var chapters: [Chapter] = []
  /// Edits of the main input, in addition to the chain's.
  public var mainInput = MainInput()
  /// The loudness in LUFS that the main output is normalized to, with true peaks below -1 dBTP; nil
  /// for none. Offline, the whole sound is measured first; live, the level follows slowly.
  public var loudness: Double?
  /// Fades and padding of the outputs named here.
  public var ends = Ends()
  /// Splits the outputs named here; their names may have the fields `{n}`, `{title}` and `{name}`.
  public var split: Split?
  /// What counts as silence for `split` and for `mainInput`.
  public var silence = Silence()

  /// When the outputs named here are written; nil for always.
  public var recording: Recording?

  public init(inputs: [String: String] = [:], outputs: [String: String] = [:]) {
    self.inputs = inputs
    self.outputs = outputs
  }

  /// Renders one file into another.
  public init(input: String, output: String) {
    self.init(inputs: ["main": input], outputs: ["main": output])
  }

  /// The formats that can be written.
  public static var formats: [String] { FileEncoding.formats }

  /// Possible block sizes in frames.
  package static let blockSizes = 1...8192
  /// Possible numbers of threads.
  package static let threadCounts = 1...64
  /// Possible bits per sample.
  package static let bitDepths = [8, 16, 24, 32, 64]

  /// Refuses values that are out of range.
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
    for name in rawInputs.keys.sorted() {
      _ = try RawFormat(asked: rawInputs[name] ?? "")
      guard inputs[name] != nil else {
        throw ChainFailure(
          .request, code: "usage",
          "--raw describes the file of the input '\(name)', and this input has none")
      }
    }
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
    if let streamTimeout, !StreamLimits.timeouts.contains(streamTimeout) {
      throw .outOfRange(
        "the time limit of a stream is 0.1 to 3600 s, not \(shortNumber(streamTimeout))")
    }
    if let streamAttempts, !StreamLimits.attemptCounts.contains(streamAttempts) {
      throw .outOfRange("a stream has 1 to 1000 attempts, not \(streamAttempts)")
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
    if bits == 64, writesIntegers {
      throw .outOfRange("samples of 64 bits are floats: leave 'writesIntegers' out")
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

  /// The encoding of the outputs named here.
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

  /// The encoding of the main output and its copies, with 24 bits by default.
  var namedEncoding: FileEncoding {
    var encoding = encoding
    if encoding.depth == nil { encoding.depth = .int24 }
    return encoding
  }

  /// The encoding of taps, without fades, padding or splits.
  var tapEncoding: FileEncoding {
    var encoding = encoding
    encoding.shape = OutputShape()
    encoding.split = nil
    return encoding
  }

  /// The encoding of a sink. The chain sets it for its own files, the request for the other
  /// outputs.
  func encoding(of endpoint: SinkEndpoint) -> FileEncoding {
    switch endpoint.nature {
    case .file, .stream: return endpoint.encoding
    case .bound, .device, .discarded: return namedEncoding
    }
  }

  /// The start position of the render in the files.
  func startSeconds(sampleRate: Double) -> Double {
    guard start == 0 else { return start }
    return loop?.from.seconds(sampleRate: sampleRate) ?? 0
  }

  /// True for an input that is not recorded: it has a file, samples, or a source in memory.
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

  /// Standard input can be read only once.
  static func sharedStandardInput(_ readers: [String]) -> ChainFailure {
    ChainFailure(
      .request, code: "usage",
      "standard input is to be read by \(readers.joined(separator: " and ")); "
        + "give all but one of them a file")
  }
}
