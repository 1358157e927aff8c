import FxAudio
import FxEngine

/// A chain file as written: its keys and types are checked, but its names are not resolved yet.
struct ChainDocument: Sendable, Equatable {
  package var path: String
  package var name: String?
  package var settings = ChainSettings()
  package var form = Form.list
  package var nodes: [NodeDocument] = []
  package var connections: [ConnectionDocument] = []
  package var exposed: [ExposedDocument] = []
  package var automation: [AutomationDocument] = []
  /// Connections to parameters come first.
  package var modulations: [ModulationDocument] = []
  package var scenes: [SceneDocument] = []
  /// The scene at the start of the chain.
  package var scene: Located<String>?
  package var control = ControlInputDocument()
  /// False when a node or a connection could not be read and is left out.
  package var isWhole = true
  /// The place for messages about the whole chain: the key of its nodes.
  package var place: Place

  package enum Form: Sendable, Equatable {
    case list, graph
  }
}

/// The settings of the whole chain.
struct ChainSettings: Sendable, Equatable {
  enum TailPolicy: Sendable, Equatable {
    case auto
    case none
    case seconds(Double)
  }

  /// Of the chain format.
  package var version = ChainFormat.version
  package var sampleRate: Double?
  package var resampling: RateConversion.Quality?
  package var channels: Int?
  package var blockSize: Int?
  /// A time in frames or beats is converted when the sample rate is known.
  package var tail: Located<RawValue>?
  package var tempo: TempoMap?
  package var seed: UInt64 = 0
}

/// A value and its place in the file.
package struct Located<Value: Sendable & Equatable>: Sendable, Equatable {
  package var value: Value
  package var place: Place
}

/// A key chosen by the chain, its value, and the places of both.
struct NamedValue: Sendable, Equatable {
  package var name: Located<String>
  package var value: Located<RawValue>
}

struct NodeDocument: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case unit(name: String, revision: Int?)
    case lv2(uri: String)
    case use(path: String, variables: [String: String])
    case source(SourceDocument)
    case sink(SinkDocument)
  }

  /// nil in a list if the chain gives none.
  package var id: String?
  package var kind: Kind
  package var parameters: [NamedValue] = []
  package var bypass: Located<Bool>?
  package var wet: Located<RawValue>?
  package var wetLaw: Located<String>?
  package var latency: Located<RawValue>?
  package var preset: Located<String>?
  package var state: Located<String>?
  package var properties: [NamedValue] = []
  package var midi: MIDIDocument?
  package var isolated: Located<Bool>?
  /// The file that records its output.
  package var tap: Located<SinkEndpoint>?
  /// The start scene of an included chain, one of its own scenes.
  package var scene: Located<String>?
  /// Keys that belong to the unit: its options and its list.
  var extras: [NodeExtra] = []
  /// The text to underline in a message about the node: its id or its unit's name.
  package var place: Place
  /// The place of the name of the unit, the plugin or the file.
  var kindPlace: Place
}

/// A key next to `parameters` that only the unit knows.
struct NodeExtra: Sendable, Equatable {
  package enum Content: Sendable, Equatable {
    case value(RawValue)
    case list([ItemDocument], isNamed: Bool)
    /// A list of numbers, as a text such as `1 2`.
    case numbers(String)
    case other(kind: String)
    /// Already reported.
    case unreadable
  }
  package var key: Located<String>
  package var content: Content
  package var place: Place
}

/// One element of a unit's list.
struct ItemDocument: Sendable, Equatable {
  package var id: Located<String>?
  package var values: [NamedValue]
  package var place: Place
}

struct SourceDocument: Sendable, Equatable {
  package var endpoint: SourceEndpoint
  /// The places of its regions.
  var regionPlaces: [RegionPlaces] = []
  package var place: Place
}

struct SinkDocument: Sendable, Equatable {
  package var endpoint: SinkEndpoint
  package var isAligned = true
  package var channels: Int?
  package var place: Place
}

/// One end of a connection: `node`, `node:port`, `node:port[2]`.
struct EndDocument: Sendable, Equatable {
  package var node: String
  package var port: String?
  /// From 1.
  package var index: Int?
  /// The node that a mixer's strip is named after, if it is not this one.
  package var strip: String?
  package var place: Place
}

struct ConnectionDocument: Sendable, Equatable {
  package var from: EndDocument
  package var to: EndDocument
  package var gain: Located<RawValue>?
  /// From 1.
  package var channels: [Int]?
  package var feedback: Located<Bool>?
  package var delay: Located<RawValue>?
  package var place: Place
}

struct ExposedDocument: Sendable, Equatable {
  package var name: Located<String>
  package var parameter: Located<String>
  package var range: [Located<RawValue>]
}

struct AutomationDocument: Sendable, Equatable {
  package struct Point: Sendable, Equatable {
    package var time: Located<RawValue>
    package var value: Located<RawValue>
    package var curve: Located<Automation.Curve>?
  }

  /// The zero point of the times.
  package enum Origin: String, Sendable, Hashable, CaseIterable {
    /// The start of the chain's input.
    case input
    /// The position in the input where the render starts.
    case start
  }

  package var parameter: Located<String>
  package var points: [Point]
  package var origin = Origin.input
}
