import ArgumentParser
import FxKit

/// The encoding of the files that the command line names.
struct EncodingArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Format of -o, if its name does not choose one: wav, flac, ogg, opus, mp3, raw …",
      valueName: "format"),
    completion: .list(RenderRequest.formats))
  var format: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Bits per sample of -o: 8, 16, 24 (default), 32 (float), 64 (float), or int32.",
      valueName: "bits"))
  var bits: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Bring the highest peak of -o to this level, from -100 to 0; the sound is measured first.",
      valueName: "decibels"))
  var normalize: Double?

  @Flag(
    name: .customLong("no-dither"),
    help: "Round to 8 or 16 bits without dither, in files and on devices.")
  var isUndithered = false

  @Flag(
    name: .customLong("shape-noise"),
    help: "Round -o to 8 or 16 bits with noise shaping: the noise moves to where it is heard less.")
  var shapesNoise = false

  @Option(
    help: ArgumentHelp(
      "Bit rate of -o in kbit/s: .mp3, constant, and .opus.", valueName: "kbit/s"))
  var bitRate: Int?

  @Option(
    help: ArgumentHelp(
      "Quality of -o from 0, small, to 1, good: .mp3 and .ogg (default 0.6).", valueName: "0…1"))
  var quality: Double?

  @Option(
    help: ArgumentHelp(
      "Compression of -o from 0, fast, to 8, small: .flac (default 5).", valueName: "0…8"))
  var compression: Int?

  @Option(
    name: .customLong("tag"),
    help: ArgumentHelp(
      "Give -o a tag, such as title=… or artist=…, beside those of the input; an empty one removes it. May be repeated.",
      valueName: "name=text"))
  var tags: [String] = []

  @Flag(
    name: .customLong("loudness-tags"),
    help: "Write the loudness of -o into its tags, for players: ReplayGain, or R128 in .opus.")
  var tagsLoudness = false

  @Flag(name: .customLong("no-tags"), help: "Copy no tags, cover or chapters from the input.")
  var hasNoTags = false

  @Option(
    help: ArgumentHelp(
      "Give -o this picture as its cover: JPEG, PNG, GIF or WebP.", valueName: "file"),
    completion: .file(extensions: ["jpg", "jpeg", "png", "gif", "webp"]))
  var cover: String?

  @Option(
    name: .customLong("chapter"),
    help: ArgumentHelp(
      "Give -o a chapter, in place of the input's; may be repeated.", valueName: "m:ss=title"))
  var chapters: [String] = []

  func apply(to request: inout RenderRequest) throws(ChainFailure) {
    if let bits { try Self.apply(bits: bits, to: &request) }
    request.isDithered = !isUndithered
    request.shapesNoise = shapesNoise
    request.normalizedPeak = normalize
    request.kilobits = bitRate
    request.quality = quality
    request.compression = compression
    request.format = format
    request.tagsLoudness = tagsLoudness
    for text in tags {
      guard text.contains("=") else {
        throw ChainFailure(
          .request, code: "usage",
          "--tag takes name=text, not '\(text)'; '\(text)=' takes it away")
      }
      let (key, value) = try Pair.split(text, option: "--tag")
      request.tags[key] = value
    }
    request.carriesTags = !hasNoTags
    request.cover = cover
    for text in chapters {
      let (time, title) = try Pair.split(text, option: "--chapter")
      guard let start = TimeArgument(argument: time) else {
        throw ChainFailure(
          .request, code: "usage", "--chapter takes a time such as 1:30, not '\(time)'")
      }
      request.chapters.append(RenderRequest.Chapter(title, start: start.seconds))
    }
  }

  static func apply(bits: String, to request: inout RenderRequest) throws(ChainFailure) {
    let number = bits.hasPrefix("int") ? Int(bits.dropFirst(3)) : Int(bits)
    guard let number, [8, 16, 24, 32, 64].contains(number), number < 64 || number == Int(bits)
    else {
      throw ChainFailure(
        .request, code: "usage",
        "--bits is 8, 16, 24, 32 (float), 64 (float) or int32, not \(bits)")
    }
    request.bits = number
    request.writesIntegers = bits.hasPrefix("int")
  }
}
