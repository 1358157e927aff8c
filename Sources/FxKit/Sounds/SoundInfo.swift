import FxAudio
import FxEngine

public import FxMedia
// The types of properties and tags are declared in FxMedia; users of this library get them here.

/// The properties and tags of a sound file.
public struct SoundInfo: Sendable, Hashable, Codable {
  public let properties: SoundProperties
  public let tags: SoundTags
  /// Defects of a file that can be read nevertheless.
  public let warnings: [String]

  /// Reads the properties of a file, without decoding it if possible.
  ///
  /// - Parameters:
  ///   - path: a file, or `-` for standard input, without reading tags.
  ///   - raw: the format of a file without a header: `s16le,48000,2`.
  ///   - isExact: reads every packet, so that lengths are counted instead of taken from the header.
  ///   - stop: stops the reading of a long file; the call then throws.
  /// - Throws: `ChainFailure` of kind `input` for a file that is not a sound or cannot be read.
  public init(
    path: String, raw: String? = nil, isExact: Bool = false, stop: StopSignal = StopSignal()
  ) throws(ChainFailure) {
    let raw = try raw.map { text throws(ChainFailure) in try RawFormat(asked: text) }
    do throws(Failure) {
      let limits = OpeningLimits { stop.isStopped }
      let finding = try SoundInspector.inspect(path, raw: raw, isExact: isExact, limits)
      properties = finding.properties
      tags = finding.tags
      warnings = finding.warnings
    } catch {
      throw ChainFailure(error, .input)
    }
  }
}
