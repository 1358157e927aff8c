public import FxAudio
public import FxChain
package import FxEngine
import FxMedia

/// A request to render or play a chain: its inputs, outputs and settings.
public struct RenderRequest: Sendable {
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
  /// The encoding of the outputs named here, their fades, padding, tags and splits. A file is written
  /// with 24 bits if `depth` is nil. An empty text in `tags` removes the input's tag.
  public var encoding = Encoding()
  /// Copies the tags of the main input to the outputs, except those about its encoding and
  /// loudness.
  public var carriesTags = true
  /// A picture file that replaces the input's cover.
  public var cover: String?
  /// Replace the input's chapters.
  public var chapters: [Chapter] = []
  /// A file of chapters that replace the input's: a CUE sheet, chapters of a podcast in JSON, labels of
  /// Audacity, or a sound. Its times are those of the input.
  public var chapterFile: String?
  /// The file into which the chapters of the main output are written: `.json`, `.cue` or `.txt`.
  public var chapterTarget: String?
  /// Edits of the main input, in addition to the chain's.
  public var mainInput = MainInput()
  /// The loudness in LUFS that the main output is normalized to, with true peaks below -1 dBTP; nil
  /// for none. Offline, the whole sound is measured first; live, the level follows slowly.
  public var loudness: Double?
  /// The gain and the level of the album that the main output belongs to.
  package var album: AlbumGain?
  /// Renders the files only to measure them, and keeps none.
  package var isOnlyMeasured = false
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

  /// Refuses values that are out of range, and values that exclude each other.
  package func check() throws(ChainFailure) {
    let values = values
    for option in RequestOption.all {
      if let value = values[option.key] { try option.check(value) }
    }
    try checkEncoding()
    try checkChapters()
    if let sampleRate, sampleRate != sampleRate.rounded() {
      throw .outOfRange("a sample rate is a whole number of hertz, not \(shortNumber(sampleRate))")
    }
    if let loop {
      for place in [loop.from, loop.to ?? loop.from] { _ = try place.frame(sampleRate: 48000) }
    }
    let piped = inputs.filter { $0.value == "-" }.keys.sorted()
    if piped.count > 1 { throw .sharedStandardInput(piped.map { "'\($0)'" }) }
    for name in rawInputs.keys.sorted() {
      _ = try RawFormat(asked: rawInputs[name] ?? "")
      guard inputs[name] != nil else {
        throw ChainFailure(
          .request, code: .usage,
          "--raw describes the file of the input '\(name)', and this input has none")
      }
    }
    try live.check()
    if !mainInput.keepsTime, replay != nil {
      throw ChainFailure(
        .request, code: .usage, "a replay repeats the performance as it was: leave the edits out")
    }
    for (name, input) in sampleInputs {
      let format = input.format
      guard (100...3_072_000).contains(format.sampleRate),
        (1...maximumBusWidth).contains(format.channels)
      else {
        throw .outOfRange(
          "no sound has \(format.channels) channels at \(format.sampleRate) Hz: the input '\(name)'"
        )
      }
      if let mistake = input.mistake { throw .outOfRange("the input '\(name)' \(mistake)") }
    }
    if let name = sampleInputs.keys.sorted().first(where: { inputs[$0] != nil }) {
      throw .boundTwice("the input '\(name)'")
    }
    if let name = sampleOutputs.keys.sorted().first(where: { outputs[$0] != nil }) {
      throw .boundTwice("the output '\(name)'")
    }
  }

  /// The encoding of the main output or of a copy, with 24 bits where the format has bits.
  func encoding(ofFile path: String?) -> FileEncoding {
    var encoding = encoding
    let isLossy = path.flatMap { FileFormat(encoding, path: $0) }?.isLossy ?? false
    if encoding.depth == nil, !isLossy { encoding.depth = .int24 }
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
    case .bound: return encoding(ofFile: outputs[endpoint.target])
    case .device, .discarded: return encoding(ofFile: outputs["main"])
    }
  }

  /// The start position of the render in the files.
  func startSeconds(sampleRate: Double) -> Double {
    guard start == 0 else { return start }
    return loop?.from.seconds(sampleRate: sampleRate) ?? 0
  }

  /// True for an input that is not recorded: it has a file, samples, or a source in memory.
  func binds(_ input: String) -> Bool {
    inputs[input] != nil || sampleInputs[input] != nil || memory?.source != nil
  }
}

extension ChainFailure {
  static func outOfRange(_ message: String) -> ChainFailure {
    ChainFailure(.request, code: .outOfRange, message)
  }

  static func boundTwice(_ name: String) -> ChainFailure {
    ChainFailure(.request, code: .usage, "\(name) has a file and samples; leave one out")
  }

  /// Standard input can be read only once.
  static func sharedStandardInput(_ readers: [String]) -> ChainFailure {
    ChainFailure(
      .request, code: .usage,
      "standard input is to be read by \(readers.joined(separator: " and ")); "
        + "give all but one of them a file")
  }
}
