/// What was changed while a chain played, and at which frames: enough to render the same sound again.
///
/// As a file one JSON object a line (`.jsonl`), the first of which says what played.
///
///     {"log":1,"program":"fxrun 0.1.0","chain":"voice.json","hash":"8f…","sampleRate":48000,
///      "blockSize":256,"startFrame":0}
///     {"frame":96256,"set":"comp.threshold","to":-20,"seconds":0.5}
///     {"frame":480000,"end":true}
public struct LiveLog: Sendable, Hashable {
  /// Of what a file says in `log`.
  package static let version = 1

  /// Where to write one.
  public struct Destination: Sendable, Hashable {
    public var path: String
    /// Who writes it, with a version.
    public var program: String

    public init(_ path: String, program: String = "FxKit") {
      self.path = path
      self.program = program
    }
  }

  /// What played.
  public struct Header: Sendable, Hashable {
    public var program: String
    /// The chain file.
    public var chain: String
    /// Of the chain file's bytes: FNV-1a of 64 bits, in hexadecimal digits.
    public var hash: String
    public var sampleRate: Double
    public var blockSize: Int
    /// The frame of the input that was the first to play.
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

  /// One thing that was done.
  public enum Change: Sendable, Hashable {
    /// A parameter was sent to a value in its own unit of measure: over so many seconds, or by its
    /// own smoothing.
    case set(parameter: String, to: Double, seconds: Double?)
    /// The chain's files stopped, or went on.
    case pause, resume
    /// They went to a frame of theirs, and from there round in a part; faded over, or joined as it is.
    case seek(to: Int, loop: LogLoop?, isFaded: Bool)
    /// What is heard went to an amplitude in so many frames.
    case volume(Float, frames: Int)
    case mute(Bool, frames: Int)
    /// Nothing was rendered from here on, because nothing was heard.
    case rested
    /// Another chain took over.
    case load(path: String)
  }

  /// A part of the files that is played over and over, in frames.
  public struct LogLoop: Sendable, Hashable {
    public var from: Int
    /// One behind its last; nil for the end of the files.
    public var to: Int?
    public var crossfade: Int

    public init(from: Int, to: Int? = nil, crossfade: Int = 0) {
      self.from = from
      self.to = to
      self.crossfade = crossfade
    }
  }

  public struct Entry: Sendable, Hashable {
    /// The first frame that it holds for, counted from the start of the input.
    public var frame: Int
    public var change: Change
    /// The line of the file, from 1; 0 for none.
    package var line = 0

    public init(frame: Int, _ change: Change) {
      self.frame = frame
      self.change = change
    }
  }

  /// The file, for messages.
  public var path: String
  public var header: Header
  /// In the order of their frames.
  public var entries: [Entry]
  /// The frame at which the performance ended or was stopped, counted from the start of the input; nil
  /// where the log breaks off.
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
