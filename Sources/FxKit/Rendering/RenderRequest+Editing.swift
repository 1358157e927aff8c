public import FxAudio
public import FxChain

extension RenderRequest {
  /// A value for one parameter.
  public typealias Setting = ParameterSetting
  /// A node, and the file that records its output.
  public typealias Tap = NodeTap
  /// How samples are written to a file.
  public typealias Encoding = FileEncoding
  /// Fades and padding of the outputs named in the request.
  public typealias Ends = OutputShape
  /// How the main input is played.
  public typealias MainInput = InputEdit
  /// Where the sound is split into several files.
  public typealias Split = SplitRule
  /// What counts as silence when a sound is split or cut.
  public typealias Silence = SilenceRule
  /// When the outputs named in the request are written.
  public typealias Recording = RecordingRule

  /// Moves `start` and `duration` into `piece` if the input is repeated or reversed.
  func movingPiece() -> RenderRequest {
    guard mainInput.playCount != 1 || mainInput.isReversed, start > 0 || duration != nil else {
      return self
    }
    var request = self
    request.piece = (start, duration)
    request.start = 0
    request.duration = nil
    return request
  }

  var inputEdit: InputEdit {
    var edit = mainInput
    edit.start = piece.flatMap { $0.start > 0 ? $0.start : nil }
    edit.duration = piece?.duration
    return edit
  }

  /// Finds options that exclude each other. Those of silence go with a split or with a cut.
  package static func conflict(_ values: [String: OptionValue]) -> OptionConflict? {
    let others = values.filter { !$0.key.hasPrefix("silence") }
    return FileEncoding.conflict(others) ?? RecordingRule.conflict(others)
  }

  /// Refuses options of the encoding and of the recording that exclude each other.
  func checkEncoding() throws(ChainFailure) {
    // Dither is the default for all depths.
    if let conflict = RenderRequest.conflict(values.filter { $0.key != "dither" }) {
      throw .outOfRange(conflict.message)
    }
    if case .times(let times)? = encoding.split,
      times.count > SplitRule.timeLimit || zip([0] + times, times).contains(where: { !($0 < $1) })
    {
      throw .outOfRange("the times of the parts are in order, and at most \(SplitRule.timeLimit)")
    }
  }

  /// Refuses chapters that are given twice, and a file of chapters that cannot be written.
  func checkChapters() throws(ChainFailure) {
    func mistake(_ message: String) -> ChainFailure {
      ChainFailure(.request, code: .usage, message)
    }
    guard chapterFile == nil || chapters.isEmpty else {
      throw mistake(
        "--chapters gives all chapters of the input, and --chapter those of the output; leave out one"
      )
    }
    guard let chapterTarget else { return }
    guard let format = ChapterFormat(path: chapterTarget) else {
      throw mistake(
        "--chapters-to writes .json (podcasts), .cue or .txt (Audacity), and '\(chapterTarget)' ends in none of them"
      )
    }
    guard let output = outputs["main"] else {
      throw mistake("--chapters-to writes the chapters of the file of -o, and there is none")
    }
    if format == .cue, output == "-" || encoding.split != nil {
      throw mistake(
        "a CUE sheet names one sound file, and -o writes "
          + (output == "-" ? "standard output" : "several") + "; write .json or .txt")
    }
  }
}
