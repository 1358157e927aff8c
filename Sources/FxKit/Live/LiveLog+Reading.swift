import FxAudio
import FxChain
import FxMedia

extension LiveLog {
  /// Reads a log.
  ///
  /// - Throws: `ChainFailure` of kind `input`, with the line that is wrong.
  public init(contentsOfFile path: String) throws(ChainFailure) {
    let bytes: [UInt8]
    do throws(Failure) {
      bytes = try ChainFile.readNamed(path)
    } catch {
      throw ChainFailure(
        .input, code: .unreadable, "\(path): the log cannot be read: \(error.message)",
        path: path)
    }
    try self.init(bytes: bytes, path: path)
  }

  /// Reads the text of a log.
  package init(bytes: [UInt8], path: String) throws(ChainFailure) {
    var header: Header?
    var entries: [Entry] = []
    var endFrame: Int?
    var number = 0
    for text in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      guard text.contains(where: { $0 > UInt8(ascii: " ") }) else { continue }
      let line = try LogLine(Array(text), path: path, number: number)
      guard header != nil else {
        header = try line.header()
        continue
      }
      guard endFrame == nil else { throw line.mistake("nothing comes after the end") }
      let end = try line.end()
      let entry = end == nil ? try line.entry(sampleRate: header?.sampleRate ?? 0) : nil
      let frame = end ?? entry?.frame ?? 0
      if let last = entries.last, frame < last.frame {
        throw line.mistake("frame \(frame) comes after frame \(last.frame)")
      }
      endFrame = end
      if let entry { entries.append(entry) }
    }
    guard let header else {
      throw ChainFailure(
        .input, code: .badLog, "\(path): the log is empty, without a line that says what played",
        path: path)
    }
    self.init(path: path, header: header, entries: entries, endFrame: endFrame)
  }
}

extension LiveLog {
  /// The latest start of a performance, in seconds.
  fileprivate static let longestTime = 1e9
}

/// The members of one line of a log.
private struct LogLine {
  private let members: [(key: JSONValue, value: JSONValue)]
  private let path: String
  private let number: Int

  init(_ bytes: [UInt8], path: String, number: Int) throws(ChainFailure) {
    self.path = path
    self.number = number
    var found = Diagnostics()
    let document = JSONDocument.read(SourceText(path: path, bytes: bytes), into: &found)
    members = document?.root.members ?? []
    if let mistake = found.all.first {
      throw self.mistake("not a JSON object: \(mistake.message); is the file cut off here?")
    }
    if members.isEmpty { throw self.mistake("not a JSON object with members") }
  }

  func mistake(_ message: String) -> ChainFailure {
    ChainFailure(.input, code: .badLog, "\(path):\(number): \(message)", path: path)
  }

  private func value(_ key: String) -> JSONValue? {
    members.first { $0.key.string == key }?.value
  }

  private func text(_ key: String) throws(ChainFailure) -> String {
    guard let text = value(key)?.string else { throw mistake("'\(key)' has to be a text") }
    return text
  }

  private func number(_ key: String) throws(ChainFailure) -> Double {
    guard let number = value(key)?.number else { throw mistake("'\(key)' has to be a number") }
    return number
  }

  private func integer(_ key: String, _ range: ClosedRange<Int>) throws(ChainFailure) -> Int {
    let number = try number(key)
    guard number.isFinite, abs(number) < 9e15, number == number.rounded(),
      range.contains(Int(number))
    else { throw mistake("'\(key)' is not a possible whole number") }
    return Int(number)
  }

  /// Refuses unknown keys, because ignoring them could change the sound.
  private func checkKeys(_ known: [String]) throws(ChainFailure) {
    for (key, _) in members {
      let name = key.string ?? ""
      guard known.contains(name) else { throw mistake("'\(name)' is not known here") }
    }
  }

  func header() throws(ChainFailure) -> LiveLog.Header {
    guard value("log") != nil else {
      throw mistake("the first line of a log says what played: {\"log\":1, …}")
    }
    let version = try integer("log", 0...Int(Int32.max))
    guard version == LiveLog.version else {
      throw mistake("a log of version \(version); this fxrun reads version \(LiveLog.version)")
    }
    let rate = try number("sampleRate")
    guard ChainFormat.sampleRates.contains(rate) else {
      throw mistake("'sampleRate' is out of range")
    }
    return LiveLog.Header(
      program: try text("program"), chain: try text("chain"), hash: try text("hash"),
      sampleRate: rate, blockSize: try integer("blockSize", ChainFormat.blockSizes),
      startFrame: try integer("startFrame", 0...Int(LiveLog.longestTime * rate)))
  }

  /// The frame of a line that says where the performance ended; nil for another line.
  func end() throws(ChainFailure) -> Int? {
    guard value("end") != nil else { return nil }
    try checkKeys(["frame", "end"])
    guard try flag("end") else { throw mistake("'end' has to be true") }
    return try integer("frame", 0...Int.max)
  }

  func entry(sampleRate: Double) throws(ChainFailure) -> LiveLog.Entry {
    var entry = LiveLog.Entry(
      frame: try integer("frame", 0...Int.max), try change(sampleRate))
    entry.line = number
    return entry
  }

  private func change(_ sampleRate: Double) throws(ChainFailure) -> LiveLog.Change {
    if value("set") != nil {
      try checkKeys(["frame", "set", "to", "seconds"])
      var seconds: Double?
      if value("seconds") != nil {
        seconds = try number("seconds")
        guard let given = seconds, (0...1e6).contains(given) else {
          throw mistake("'seconds' is out of range")
        }
      }
      return .set(parameter: try text("set"), to: try level("to"), seconds: seconds)
    }
    if value("seek") != nil { return try seek(sampleRate) }
    if value("volume") != nil {
      try checkKeys(["frame", "volume", "frames"])
      let amplitude = try number("volume")
      guard (0...1e3).contains(amplitude) else { throw mistake("'volume' is out of range") }
      return .volume(Float(amplitude), frames: try integer("frames", 0...Int(Int32.max)))
    }
    if value("mute") != nil {
      try checkKeys(["frame", "mute", "frames"])
      return .mute(try flag("mute"), frames: try integer("frames", 0...Int(Int32.max)))
    }
    if value("load") != nil {
      try checkKeys(["frame", "load"])
      return .load(path: try text("load"))
    }
    let signs: KeyValuePairs<String, LiveLog.Change> = [
      "pause": .pause, "resume": .resume, "rested": .rested,
    ]
    for (key, change) in signs where value(key) != nil {
      try checkKeys(["frame", key])
      guard try flag(key) else { throw mistake("'\(key)' has to be true") }
      return change
    }
    let kinds = members.compactMap(\.key.string).filter { $0 != "frame" }
    throw mistake("'\(kinds.first ?? "")' is no change that this fxrun can replay")
  }

  private func flag(_ key: String) throws(ChainFailure) -> Bool {
    guard let flag = value(key)?.bool else { throw mistake("'\(key)' has to be true or false") }
    return flag
  }

  private func seek(_ sampleRate: Double) throws(ChainFailure) -> LiveLog.Change {
    try checkKeys(["frame", "seek", "loopFrom", "loopTo", "crossfade", "faded"])
    var loop: SourceLoop?
    if value("loopFrom") != nil {
      let from = try integer("loopFrom", 0...Int.max)
      loop = SourceLoop(
        from: from, to: value("loopTo") == nil ? Int.max : try integer("loopTo", 0...Int.max),
        crossfade: try integer(
          "crossfade", 0...Int((SourceLoop.longestCrossfade * sampleRate).rounded())))
      if let loop, loop.to <= from { throw mistake("the loop ends before it begins") }
    }
    return .seek(
      to: try integer("seek", 0...Int.max), loop: loop, isFaded: try flag("faded"))
  }

  /// A number, or `"-inf"` or `"inf"`, which JSON cannot write as numbers.
  private func level(_ key: String) throws(ChainFailure) -> Double {
    switch value(key)?.string {
    case "-inf": -.infinity
    case "inf": .infinity
    default: try number(key)
    }
  }
}
