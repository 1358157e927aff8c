import FxFrames
// What is known of a sound is declared where it is found out; users of the library see it here.
@_exported public import FxMedia

/// What a sound file is.
public struct SoundInfo: Sendable {
  public let properties: SoundProperties
  public let tags: SoundTags
  /// What is wrong with the file although it can be read.
  public let warnings: [String]

  /// Reads what a file says of itself, without decoding it where that can be.
  ///
  /// - Parameters:
  ///   - path: a file, or `-` for standard input, of which no tags are read.
  ///   - isExact: goes over every packet, so that lengths are counted rather than believed.
  ///   - stop: ends the reading of a long file, which then throws.
  /// - Throws: `ChainFailure` of the kind `input` for what is no sound or cannot be read.
  public init(
    path: String, isExact: Bool = false, stop: StopSignal = StopSignal()
  ) throws(ChainFailure) {
    do throws(IOError) {
      let finding = try SoundInspector.inspect(path, isExact: isExact) { stop.isStopped }
      properties = finding.properties
      tags = finding.tags
      warnings = finding.warnings
    } catch {
      throw ChainFailure(error, .input)
    }
  }
}
