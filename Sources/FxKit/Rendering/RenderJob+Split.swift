import FxAudio
import FxEngine
import FxMedia
import FxPlaying

extension RenderJob {
  /// A sink with the requested fades and padding.
  func shaped(
    _ index: Int, _ format: StreamFormat, _ tags: OutputTags, _ opening: OutputOpening
  ) throws(Failure) -> any AudioSink {
    let sink = try sink(index, format, tags, opening)
    guard let endpoint = compiled.endpoint(ofSink: compiled.plan.sinks[index]),
      endpoint.nature != .discarded, case let shape = request.encoding(of: endpoint).shape,
      !shape.isPlain
    else { return sink }
    do throws(Failure) {
      return try ShapedSink(sink, shape)
    } catch {
      _ = try? sink.abandon(keepingPartial: false)
      throw error
    }
  }

  /// A sink that splits the sound into several files.
  func divided(
    _ index: Int, _ path: String, _ rule: SplitRule, _ encoding: FileEncoding,
    _ format: StreamFormat, _ tags: OutputTags, _ opening: OutputOpening
  ) throws(Failure) -> any AudioSink {
    guard path != "-" else {
      throw Failure(
        .unwritable, "standard output", "is one file and cannot be divided; name a file with -o")
    }
    let names: PartNames
    do {
      names = try PartNames(path, input: tags.input.flatMap { $0 == "-" ? nil : $0 })
    } catch {
      throw Failure(
        .unwritable, path,
        "the names of its parts cannot be made: \(error.message); \(error.hints.joined(separator: "; "))"
      )
    }
    var plan = SplitSink.Plan(rule, names)
    plan.silence = encoding.silence
    if rule == .chapters {
      plan.chapters = tags.chapters(encoding).splitPoints
      guard !plan.chapters.isEmpty else {
        let cause =
          tags.chapterObstacle.map { "\($0) leaves the chapters of the input out" }
          ?? "the sound has no chapters to be divided at"
        throw Failure(
          .outOfRange, path, "\(cause); give them with --chapter 1:30=TITLE or --chapters FILE")
      }
    }
    plan.tags = try tags.tagsOfParts(path, encoding)
    if request.keepsPartials { opening.recoverParts(names) }
    let sink = try SplitSink(plan, format) { (path, previous) throws(Failure) in
      try checkReadFiles(tags.inputs, path)
      let file = try FileSink.create(
        path, format: format, encoding: encoding, isRecording: isLive, continuing: previous)
      measureLoudness(of: file, encoding)
      return file
    }
    let main = mainSource.flatMap { compiled.endpoint(ofSource: compiled.plan.sources[$0]) }
    let facts = main.flatMap { sources.extent(of: $0) }
    let length = main?.regions.isEmpty == true ? facts?.duration : nil
    opening.remember(
      OutputOpening.Divided(sink: sink) { start, end in
        tags.sourceSpan(start, end, encoding, length: length).map {
          RenderSummary.SourceSpan(start: $0.start, end: $0.end, sampleRate: facts?.sampleRate)
        }
      }, ofSink: index)
    return sink
  }

}

extension [SoundTags.Chapter] {
  /// The chapters at which a sound is divided. The pause before the first track of an album belongs to
  /// it; a longer sound is a hidden track, and a part of its own.
  fileprivate var splitPoints: [SoundTags.Chapter] {
    var chapters = listed
    if let first = chapters.first, first.texts["tracknumber"] != nil, first.start <= 5 {
      chapters[0].start = 0
    }
    return chapters
  }
}

extension OutputOpening {
  /// Keeps the partial files of all parts that a killed process left.
  func recoverParts(_ names: PartNames) {
    for path in FileSink.begun(names) { recover(path) }
  }
}
