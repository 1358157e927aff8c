import ArgumentParser
import FxAudio
import FxKit

/// The encoding of the files that the command line names.
struct EncodingArguments: ParsableArguments {
  @Option(of: "format") var format: GivenOption?
  @Option(of: "bits") var bits: GivenOption?
  @Option(of: "normalize") var normalize: GivenOption?
  @Flag(of: "dither") var isUndithered
  @Flag(of: "noiseShaping") var shapesNoise
  @Option(of: "bitRate") var bitRate: GivenOption?
  @Option(of: "quality") var quality: GivenOption?
  @Option(of: "compression") var compression: GivenOption?

  @Option(
    name: .customLong("tag"),
    help: ArgumentHelp(
      "Give -o a tag, such as title=… or artist=…, beside those of the input; an empty one removes it. May be repeated.",
      valueName: "name=text"))
  var tags: [String] = []

  @Flag(of: "loudnessTags") var tagsLoudness
  @Flag(of: "tagsFromInput") var hasNoTags
  @Option(of: "cover", completion: .file(extensions: ["jpg", "jpeg", "png", "gif", "webp"]))
  var cover: GivenOption?

  @Option(
    name: .customLong("chapter"),
    help: ArgumentHelp(
      "Give -o a chapter, in place of the input's; may be repeated.", valueName: "m:ss=title"))
  var chapters: [String] = []

  /// The given values, by key.
  func values() throws(ChainFailure) -> [String: OptionValue] {
    var values = try [format, bits, normalize, bitRate, quality, compression, cover].values()
    if isUndithered { values["dither"] = .flag(false) }
    if shapesNoise { values["noiseShaping"] = .flag(true) }
    if tagsLoudness { values["loudnessTags"] = .flag(true) }
    if hasNoTags { values["tagsFromInput"] = .flag(false) }
    var texts: [String: String] = [:]
    for text in tags {
      guard text.contains("=") else {
        throw .usage("--tag takes name=text, not '\(text)'; '\(text)=' takes it away")
      }
      let (key, value) = try Pair.split(text, option: "--tag")
      texts[key] = value
    }
    if !texts.isEmpty { values["tags"] = .texts(texts) }
    return values
  }

  /// The given chapters.
  func marks() throws(ChainFailure) -> [RenderRequest.Chapter] {
    var marks: [RenderRequest.Chapter] = []
    for text in chapters {
      let (time, title) = try Pair.split(text, option: "--chapter")
      guard let start = ClockText.seconds(time) else {
        throw .usage("--chapter takes a time such as 1:30, not '\(time)'")
      }
      marks.append(RenderRequest.Chapter(title, start: start))
    }
    return marks
  }
}
