import FxAudio

/// A unit that a chain can name.
public struct UnitInfo: Sendable, Hashable, Codable {
  /// An option, which a chain sets once.
  public struct Option: Sendable, Hashable, Codable {
    /// The key in a chain.
    public let name: String
    /// A sentence about it.
    public let summary: String
    /// The words that it takes; empty if it takes others.
    public let words: [String]
    public let isRequired: Bool
  }

  /// A preset: `"preset": "large hall"`.
  public struct Preset: Sendable, Hashable, Codable {
    public let name: String
    /// A sentence about it.
    public let summary: String
  }

  /// A list of elements with parameters of their own: bands, strips.
  public struct Elements: Sendable, Hashable, Codable {
    /// The key of the list in a chain.
    public let name: String
    public let parameters: [ParameterInfo]
    public let options: [Option]
  }

  /// The name in a chain: `highPass`.
  public let name: String
  /// The name for people.
  public let title: String
  /// A sentence about it.
  public let summary: String
  /// The heading under which `fxrun units` lists it.
  public let category: String
  /// The version of its sound.
  public let revision: Int
  public let parameters: [ParameterInfo]
  public let options: [Option]
  public let elements: Elements?
  public let presets: [Preset]
  public let readings: [ReadingInfo]
  /// The names of its inputs and outputs for sound.
  public let inputs: [String]
  public let outputs: [String]

  /// The built-in units in the order of the reference page, and units that the program has added.
  public static var all: [UnitInfo] { UnitLibrary.shared.units.map(UnitInfo.init) }

  /// A unit by its name; nil if there is none.
  ///
  /// - Parameter name: `reverb`, or `reverb@1` for an earlier revision.
  public init?(named name: String) {
    guard let type = UnitLibrary.shared.unit(named: name) else { return nil }
    self.init(type.spec)
  }

  /// The units of a set, such as those of your own package.
  ///
  /// - Parameter units: the units.
  public static func list(_ units: UnitSet) -> [UnitInfo] { units.types.map { UnitInfo($0.spec) } }

  init(_ spec: UnitSpec) {
    name = spec.id
    title = spec.name
    summary = spec.summary
    category = spec.category
    revision = spec.revision
    parameters = spec.parameters.map(ParameterInfo.init)
    options = spec.options.map(Option.init)
    elements = spec.list.map { list in
      Elements(
        name: list.key, parameters: list.parameters.map(ParameterInfo.init),
        options: list.options.map(Option.init))
    }
    presets = spec.presets.map { Preset(name: $0.name, summary: $0.summary) }
    readings = spec.readings.map(ReadingInfo.init)
    inputs = spec.inputs.map(\.name)
    outputs = spec.outputs.map(\.name)
  }
}

extension UnitInfo.Option {
  init(_ spec: OptionSpec) {
    name = spec.key
    summary = spec.summary
    words =
      switch spec.kind {
      case .choice(let words), .channels(let words): words
      default: []
      }
    isRequired = spec.defaultValue == nil
  }
}
