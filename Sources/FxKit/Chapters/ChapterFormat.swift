import FxAudio
import FxMedia

/// A format in which chapters are written, by the extension of the file.
enum ChapterFormat: String, CaseIterable {
  case json, cue, txt

  init?(path: String) {
    guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
    self.init(rawValue: path[dot...].dropFirst().lowercased())
  }

  /// The text for chapters of a sound.
  ///
  /// - Parameters:
  ///   - sound: the file of the sound, as a sheet names it.
  ///   - duration: the length of the sound in seconds.
  func text(
    _ chapters: [SoundTags.Chapter], sound: String, _ tags: SoundTags, duration: Double
  ) throws(Failure) -> String {
    switch self {
    case .json: PodcastChapters.text(chapters, tags)
    case .cue: try CueSheet.text(chapters.listed, sound: sound, tags)
    case .txt: AudacityLabels.text(chapters.listed, duration: duration)
    }
  }
}
