import FxAudio
package import FxChain
import FxEngine
import FxMedia
import FxPlaying

/// A chain of effects and their connections, described by a JSON text.
///
/// Loading only reads the text. Mistakes are reported all together when the chain is checked,
/// rendered or played.
///
///     let chain = try Chain(contentsOfFile: "voice.json")
///     for diagnostic in chain.check() { print(diagnostic) }
///     let summary = try chain.render(RenderRequest(input: "take.mp3", output: "take.wav"))
public struct Chain: Sendable, Hashable {
  /// The file's name in messages. Files that the chain names are relative to its folder.
  public let path: String
  package let bytes: [UInt8]
  package let variables: [String: String]
  /// The units of your own that the chain may name.
  public let units: UnitSet
  /// The code that made the chain; nil for a file or a text.
  let code: CodeOrigin?
  /// The file's stamp when it was read; nil for a text.
  let stamp: FileStamp?
  /// True for a comparison of two chains.
  let isComparison: Bool

  /// Reads a chain file.
  ///
  /// - Parameters:
  ///   - path: the file, as messages will name it.
  ///   - variables: values that replace the chain's own `variables`.
  ///   - units: units of your own that the chain may name.
  /// - Throws: `ChainFailure` of kind `chain` if the file cannot be read.
  public init(
    contentsOfFile path: String, variables: [String: String] = [:], units: UnitSet = []
  ) throws(ChainFailure) {
    try self.init(path, variables, units, read: ChainFile.read)
  }

  /// Reads a chain that takes over from the playing one. It must be a file, because a pipe would
  /// block all later chains.
  init(takingOver path: String, from chain: Chain) throws(ChainFailure) {
    try self.init(path, chain.variables, chain.units) { path throws(Failure) in
      try ChainFile.readNamed(path)
    }
  }

  private init(
    _ path: String, _ variables: [String: String], _ units: UnitSet,
    read: (String) throws(Failure) -> [UInt8]
  ) throws(ChainFailure) {
    guard !path.isEmpty else {
      throw ChainFailure(
        .chain, code: .unreadable, "the name of the chain file is empty", path: path)
    }
    stamp = FileStamp(path)
    do throws(Failure) {
      bytes = try read(path)
    } catch {
      throw ChainFailure(
        .chain, code: .unreadable, "\(path): the chain cannot be read: \(error.message)",
        path: path)
    }
    guard !Self.isSound(bytes) else {
      throw ChainFailure(
        .chain, code: .unreadable,
        "\(path): this is a sound, not a chain; the chain comes first: fxrun chain.json \(path), or fxrun none "
          + "\(path) without any",
        path: path)
    }
    if let format = ForeignFormat(recognizing: bytes) {
      throw ChainFailure(
        .chain, code: .unsupportedFormat,
        "\(path): this is \(format.noun), not a chain: fxrun import \(path) -o chain.json",
        path: path)
    }
    self.path = path
    self.variables = variables
    self.units = units
    code = nil
    isComparison = false
  }

  /// True for the first bytes of WAV, AIFF, FLAC, Ogg and MP3 files.
  private static func isSound(_ bytes: [UInt8]) -> Bool {
    ["RIFF", "FORM", "fLaC", "OggS", "ID3"].contains { bytes.starts(with: $0.utf8) }
      || bytes.starts(with: [0xff]) && bytes.dropFirst().first.map { $0 & 0xe6 == 0xe2 } == true
  }

  /// True for the same text under the same name, with the same variables and units.
  public static func == (left: Chain, right: Chain) -> Bool {
    left.bytes == right.bytes && left.path == right.path && left.variables == right.variables
      && left.units == right.units && left.isComparison == right.isComparison
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(bytes)
    hasher.combine(path)
    hasher.combine(variables)
    hasher.combine(units)
  }

  /// A chain that changes nothing.
  public static let empty = Chain(json: #"{ "version": 2, "chain": [] }"#, path: "none")

  /// Makes a chain from a JSON text.
  ///
  /// - Parameters:
  ///   - json: the text.
  ///   - path: its name in messages. Files that the chain names are relative to its folder.
  ///   - variables: values that replace the chain's own `variables`.
  ///   - units: units of your own that the chain may name.
  public init(
    json: String, path: String = "chain.json", variables: [String: String] = [:],
    units: UnitSet = []
  ) {
    self.init(Array(json.utf8), path: path, variables, units, isComparison: false)
  }

  /// The comparison of two chains.
  init(comparing json: String, path: String, units: UnitSet) {
    self.init(Array(json.utf8), path: path, [:], units, isComparison: true)
  }

  /// The same chain with another text.
  func replacing(_ bytes: [UInt8]) -> Chain {
    Chain(bytes, path: path, variables, units, isComparison: isComparison)
  }

  init(
    _ bytes: [UInt8], path: String, _ variables: [String: String], _ units: UnitSet = [],
    isComparison: Bool = false, code: CodeOrigin? = nil
  ) {
    self.path = path
    self.code = code
    self.bytes = bytes
    stamp = nil
    self.variables = variables
    self.units = units
    self.isComparison = isComparison
  }

  /// Every mistake, warning and note about the chain, in the order of the text: its syntax, its
  /// names and values, whether its plugins are there, whether its channels and loops work out.
  ///
  /// - Parameters:
  ///   - sampleRate: the sample rate in Hz to check for, unless the chain has its own.
  ///   - channels: the number of channels of its inputs; nil for the chain's own, or 2.
  public func check(sampleRate: Double = 48000, channels: Int? = nil) -> [ChainDiagnostic] {
    checked(sampleRate: sampleRate, channels: channels).all.map(ChainDiagnostic.init)
  }

  /// The diagnostics of a check, which can be printed with their lines.
  package func checked(
    sampleRate: Double = 48000, channels: Int? = nil, memoryLimit: Int? = nil
  ) -> Diagnostics {
    do throws(ChainFailure) {
      var asked = RenderRequest()
      asked.memoryLimit = memoryLimit
      let compiled = try planned(sampleRate: sampleRate, channels: channels, asked: asked)
      var found = compiled.diagnostics
      if compiled.namesDevice {
        found.add(contentsOf: compiled.realtimeNotes)
        let mistake = compiled.wholeSoundMistake(
          compiled.measuringNodes, where: "a performance")
        if let mistake { found.add(mistake) }
      }
      return found.sorted()
    } catch {
      return error.details
    }
  }

  /// Compiles the chain without opening inputs. Existing files set their formats; other sources are
  /// assumed to exist.
  ///
  /// - Parameter asked: gives the settings, bypassed nodes, scene, threads and memory limit.
  package func planned(
    sampleRate: Double = 48000, channels: Int? = nil, asked: RenderRequest = RenderRequest()
  ) throws(ChainFailure) -> CompiledChain {
    let builder = read(.check(asked))
    // A render reports why a file cannot be read as sound.
    let known = builder.sources.filter {
      $0.path.map(isRegularFile) ?? ($0.nature == .generated || $0.nature == .schedule)
    }.compactMap { try? OpenedSources([$0], SourceBindings()) }
    let settings = CompiledChain.Settings.check(
      asked, sampleRate: sampleRate, channels: channels ?? builder.channels ?? 2
    ) { endpoint in known.lazy.compactMap { $0.facts(of: endpoint) }.first }
    return try builder.outline(settings).completed(makesUnits: false)
  }

  /// The units and plugins that it may name.
  var catalog: any UnitCatalog {
    units.types.isEmpty
      ? UnitLibrary.shared
      : UnitLibrary(adding: UnitSet.ofProgram + units, plugins: UnitLibrary.shared.plugins)
  }

  /// The JSON Schema of chain files, with the units of this version.
  package static var schema: JSONOutput { ChainSchema.schema(for: UnitLibrary.shared, .all) }
}
