import FxAudio
import FxEngine
import FxMedia
import FxPlaying

/// The chapters of the main output. When the sound is complete, they are written into a file of their own
/// if the request has one.
final class ChapterWriter {
  private let index: Int
  private let sound: String
  private let chapters: [SoundTags.Chapter]
  private let tags: SoundTags
  private let file: (path: String, format: ChapterFormat, target: TextTarget)?

  /// Opens the file.
  ///
  /// - Parameters:
  ///   - path: nil for no file.
  ///   - index: the index of the main output.
  ///   - sound: its file.
  init(
    _ path: String?, ofSink index: Int, _ sound: String, _ chapters: [SoundTags.Chapter],
    _ tags: SoundTags
  ) throws(Failure) {
    self.index = index
    self.chapters = chapters
    self.tags = tags
    self.sound = path.map { Self.reference(to: sound, from: $0) } ?? sound
    if let path, let format = ChapterFormat(path: path) {
      file = (path, format, try TextTarget(path))
    } else {
      file = nil
    }
  }

  /// Writes the file. For a part of the sound it gets a partial name, as the sound does. Returns a
  /// warning about chapters that the sound does not reach.
  func finish(
    _ outputs: [RenderSummary.Output], sampleRate: Double
  ) throws(Failure) -> String? {
    guard outputs.indices.contains(index) else { return nil }
    let duration = Double(outputs[index].frames) / sampleRate
    let kept = chapters.within(duration)
    if let file {
      do throws(Failure) {
        let text = try file.format.text(kept, sound: sound, tags, duration: duration)
        try file.target.finish(text, isPartial: outputs[index].isPartial)
      } catch {
        throw error.path.isEmpty ? Failure(error.code, file.path, error.message) : error
      }
    }
    let late = chapters.count - kept.count
    guard late > 0, !outputs[index].isPartial else { return nil }
    return
      "\(Text.count(late, "chapter")) \(late == 1 ? "begins" : "begin") behind the end of "
      + "\(sound) (\(Text.time(duration))) and \(late == 1 ? "is" : "are") left out"
  }

  /// A sound as a file beside it names it: by its name alone in the same folder.
  private static func reference(to sound: String, from path: String) -> String {
    guard let spelling = targetSpelling(sound), let own = targetSpelling(path) else { return sound }
    let folder = own[...(own.lastIndex(of: "/") ?? own.startIndex)]
    let name = spelling.dropFirst(folder.count)
    return spelling.hasPrefix(folder) && !name.contains("/") ? String(name) : spelling
  }
}

extension RenderJob {
  /// Opens the file for the chapters of the main output.
  func openChapters(_ tags: OutputTags, _ opening: OutputOpening) throws(Failure) {
    guard let main = request.outputs["main"],
      let index = compiled.plan.sinks.indices.first(where: { target($0) == main }),
      let endpoint = compiled.endpoint(ofSink: compiled.plan.sinks[index])
    else { return }
    let encoding = request.encoding(of: endpoint)
    let chapters = tags.chapters(encoding)
    let texts = tags.texts(encoding)
    guard let path = request.chapterTarget else {
      opening.chapters = try ChapterWriter(nil, ofSink: index, main, chapters, texts)
      return
    }
    try checkReadFiles(tags.inputs, path)
    for other in compiled.plan.sinks.indices.compactMap({ target($0) })
    where other != "-" && targetSpelling(other) == targetSpelling(path) {
      throw Failure(
        .sameAsOutput, path,
        "is written by an output as well; give the chapters a file of their own")
    }
    guard !chapters.isEmpty else {
      let cause =
        tags.chapterObstacle.map { "\($0) leaves the chapters of the input out" }
        ?? "the sound has no chapters"
      throw Failure(
        .outOfRange, path, "\(cause); give them with --chapter 1:30=TITLE or --chapters FILE")
    }
    opening.chapters = try ChapterWriter(path, ofSink: index, main, chapters, texts)
  }

  /// Writes the chapters beside the complete output.
  func writeChapters(_ report: RenderSummary, _ opening: OutputOpening) throws(Failure) {
    let warning = try opening.chapters?.finish(report.outputs, sampleRate: compiled.sampleRate)
    if let warning { opening.warnings.append(warning) }
  }
}
