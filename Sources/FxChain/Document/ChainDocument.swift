package import FxAudio
package import FxDiagnostics
package import FxGraph

/// A chain file as it stands: checked for its keys and types, not yet for what its names mean.
package struct ChainDocument: Sendable, Equatable {
  package var path: String
  package var name: String?
  package var settings = ChainSettings()
  package var form = Form.list
  package var nodes: [NodeDocument] = []
  package var connections: [ConnectionDocument] = []
  package var exposed: [ExposedDocument] = []
  package var automation: [AutomationDocument] = []
  /// Connections to parameters first.
  package var modulations: [ModulationDocument] = []
  package var scenes: [SceneDocument] = []
  /// The scene that the chain begins with.
  package var scene: Located<String>?
  package var control = ControlInputDocument()
  /// False when a node or a connection could not be read and is left out.
  package var isWhole = true
  /// What stands for the chain as a whole in messages: the key of its nodes.
  package var place: Place

  package enum Form: Sendable, Equatable {
    case list, graph
  }
}

/// What a chain says about itself as a whole.
package struct ChainSettings: Sendable, Equatable {
  package enum TailPolicy: Sendable, Equatable {
    case auto
    case none
    case seconds(Double)
  }

  package var sampleRate: Double?
  package var resampling: RateConversion.Quality?
  package var channels: Int?
  package var blockSize: Int?
  /// A time in frames or beats waits until the sample rate is known.
  package var tail: Located<RawValue>?
  package var tempo: TempoMap?
  package var seed: UInt64 = 0
}

/// A value and where it stands.
package struct Located<Value: Sendable & Equatable>: Sendable, Equatable {
  package var value: Value
  package var place: Place
}

/// A key that the chain chose, its value, and where both stand.
package struct NamedValue: Sendable, Equatable {
  package var name: Located<String>
  package var value: Located<RawValue>
}

package struct NodeDocument: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case unit(name: String, revision: Int?)
    case lv2(uri: String)
    case use(path: String, variables: [String: String])
    case source(SourceDocument)
    case sink(SinkDocument)
  }

  /// nil in a list where the chain gives none.
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
  package var tap: TapDocument?
  /// Of an included chain: the scene of its own that it begins with.
  package var scene: Located<String>?
  /// Keys that the format does not know: a unit's options and its list.
  package var extras: [NodeExtra] = []
  /// What a message about the node underlines: its id, its unit's name.
  package var place: Place
  /// Where the unit, the plugin or the file is named.
  package var kindPlace: Place
}

/// A key beside `parameters` that only the unit can make sense of.
package struct NodeExtra: Sendable, Equatable {
  package enum Content: Sendable, Equatable {
    case value(RawValue)
    case list([ItemDocument], isNamed: Bool)
    case other(kind: String)
    /// Has its message.
    case unreadable
  }
  package var key: Located<String>
  package var content: Content
  package var place: Place
}

/// One element of a unit's list.
package struct ItemDocument: Sendable, Equatable {
  package var id: Located<String>?
  package var values: [NamedValue]
  package var place: Place
}

package struct SourceDocument: Sendable, Equatable {
  package var endpoint: SourceEndpoint
  /// Where its regions stand.
  package var regionPlaces: [RegionPlaces] = []
  package var place: Place
}

package struct SinkDocument: Sendable, Equatable {
  package var endpoint: SinkEndpoint
  package var isAligned = true
  package var channels: Int?
  package var place: Place
}

/// One end of a connection: `node`, `node:port`, `node:port[2]`.
package struct EndDocument: Sendable, Equatable {
  package var node: String
  package var port: String?
  /// From 1.
  package var index: Int?
  /// The node that a mixer names the strip after, where it is not this one.
  package var strip: String?
  package var place: Place
}

package struct ConnectionDocument: Sendable, Equatable {
  package var from: EndDocument
  package var to: EndDocument
  package var gain: Located<RawValue>?
  /// From 1.
  package var channels: [Int]?
  package var feedback: Located<Bool>?
  package var delay: Located<RawValue>?
  package var place: Place
}

package struct ExposedDocument: Sendable, Equatable {
  package var name: Located<String>
  package var parameter: Located<String>
  package var range: [Located<RawValue>]
}

package struct AutomationDocument: Sendable, Equatable {
  package struct Point: Sendable, Equatable {
    package var time: Located<RawValue>
    package var value: Located<RawValue>
    package var curve: Located<Automation.Curve>?
  }

  /// Where the times of the points count from.
  package enum Origin: String, Sendable, Hashable, CaseIterable {
    /// The beginning of the chain's input.
    case input
    /// Where the render begins in it.
    case start
  }

  package var parameter: Located<String>
  package var points: [Point]
  package var origin = Origin.input
}
