/// The changes made while a chain played, with their frames: enough to render the same sound again.
///
/// The file has one JSON object per line (`.jsonl`). The first line describes the chain that
/// played.
///
///     {"log":1,"program":"fxrun 0.1.0","chain":"voice.json","hash":"8f…","sampleRate":48000,
///      "blockSize":256,"startFrame":0}
///     {"frame":96256,"set":"comp.threshold","to":-20,"seconds":0.5}
///     {"frame":480000,"end":true}
public struct LiveLog: Sendable, Hashable {
  /// The value of `log` in a file.
  package static let version = 1

  /// The file to write a log to.
  public struct Destination: Sendable, Hashable {
    public var path: String
    /// The program that writes it, with its version.
    public var program: String

    public init(_ path: String, program: String = "FxKit") {
      self.path = path
      self.program = program
    }
  }

  /// The chain that played, and its settings.
  public struct Header: Sendable, Hashable {
    public var program: String
    /// The chain file.
    public var chain: String
    /// The hash of the chain file's bytes: FNV-1a of 64 bits, in hexadecimal digits.
    public var hash: String
    public var sampleRate: Double
    public var blockSize: Int
    /// The first frame of the input that was played.
    public var startFrame: Int

    public init(
      program: String = "FxKit", chain: String, hash: String, sampleRate: Double, blockSize: Int,
      startFrame: Int = 0
    ) {
      self.program = program
      self.chain = chain
      self.hash = hash
      self.sampleRate = sampleRate
      self.blockSize = blockSize
      self.startFrame = startFrame
    }
  }

  /// One change.
  public enum Change: Sendable, Hashable {
    /// A parameter moved to a value in its own unit of measure: over `seconds`, or with its own
    /// smoothing.
    case set(parameter: String, to: Double, seconds: Double?)
    /// The chain's files were paused or resumed.
    case pause, resume
    /// The files jumped to a frame, with a crossfade if `isFaded`. `loop` is repeated from there
    /// on.
    case seek(to: Int, loop: SourceLoop?, isFaded: Bool)
    /// The output level moved to an amplitude, over `frames`.
    case volume(Float, frames: Int)
    case mute(Bool, frames: Int)
    /// Rendering stopped here because the chain was silent.
    case rested
    /// Another chain took over.
    case load(path: String)
  }

  public struct Entry: Sendable, Hashable {
    /// The first frame that it applies to, counted from the start of the input.
    public var frame: Int
    public var change: Change
    /// The line of the file, from 1; 0 for none.
    package var line = 0

    public init(frame: Int, _ change: Change) {
      self.frame = frame
      self.change = change
    }
  }

  /// The file's path, for messages.
  public var path: String
  public var header: Header
  /// Sorted by frame.
  public var entries: [Entry]
  /// The frame at which the performance ended or was stopped, counted from the start of the input;
  /// nil if the log is cut off.
  public var endFrame: Int?

  public init(path: String, header: Header, entries: [Entry], endFrame: Int? = nil) {
    self.path = path
    self.header = header
    self.entries = entries
    self.endFrame = endFrame
  }

  /// FNV-1a of 64 bits (Fowler, Noll, Vo).
  static func hash(of bytes: [UInt8]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes {
      hash ^= UInt64(byte)
      hash &*= 0x100_0000_01b3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
