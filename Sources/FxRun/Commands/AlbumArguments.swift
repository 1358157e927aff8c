import ArgumentParser
import FxAudio
import FxChain
import FxKit

/// Gains for whole albums, and sounds that are loud enough already.
struct AlbumArguments: ParsableArguments {
  @Flag(
    help:
      "Measure the files of a folder as one: --loudness gives them one gain, and their tags have the gains of track and album."
  )
  var album = false

  @Option(
    help: ArgumentHelp(
      "What makes an album: folder (default), or tag for the tags album and albumartist.",
      valueName: "folder|tag"), completion: .list(["folder", "tag"]))
  var albumBy: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --loudness: leave alone what is within this many LU of it already, such as 0.3.",
      valueName: "LU"))
  var skipWithin: Double?

  @Flag(help: "Measure only, for the other shards; the same command without it then renders.")
  var measureOnly = false

  @Option(
    help: ArgumentHelp(
      "Keep the measurements in this folder, and read those of other shards there (default: the folder of the outputs).",
      valueName: "folder"), completion: .directory)
  var measurements: String?

  /// What is measured together; nil if nothing is measured first.
  func grouping() throws(ChainFailure) -> AlbumGrouping? {
    if let albumBy {
      guard let grouping = AlbumGrouping(rawValue: albumBy), grouping != .track else {
        throw .usage("--album-by must be folder or tag, not '\(albumBy)'")
      }
      return grouping
    }
    if album { return .folder }
    return skipWithin == nil ? nil : .track
  }

  func target(_ request: RenderRequest) -> AlbumTarget {
    AlbumTarget(loudness: request.loudness, skipped: skipWithin)
  }

  /// Refuses options that do not go together, and completes the request.
  func fill(_ request: inout RenderRequest) throws(ChainFailure) {
    guard let grouping = try grouping() else {
      if measureOnly || measurements != nil {
        throw .usage(
          "--\(measureOnly ? "measure-only" : "measurements") goes with --album or --skip-within")
      }
      return
    }
    if let skipWithin {
      guard request.loudness != nil else {
        throw .usage("--skip-within needs --loudness, the loudness to compare with")
      }
      guard skipWithin >= 0, skipWithin <= 20 else {
        throw .usage("--skip-within must be 0 to 20 LU, not \(shortNumber(skipWithin))")
      }
    }
    let name = grouping == .track ? "skip-within" : "album"
    guard request.encoding.normalizedPeak == nil else {
      throw .usage("--normalize changes each file by itself, which does not go with --\(name)")
    }
    // With a loudness, a format without tags has its use too.
    if grouping != .track, request.loudness == nil { request.encoding.tagsLoudness = true }
  }
}
