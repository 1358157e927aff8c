package import FxAnalysis
import FxDiagnostics
package import FxKit

/// What became of a case.
package struct CaseVerdict: Sendable {
  package enum Outcome: Sendable {
    case passed
    /// There is no golden yet.
    case new
    /// The sound, or its cost, is another one.
    case differs
    /// It could not be rendered, or its golden could not be read.
    case failed(ChainFailure)
  }

  /// One way in which what it was made with has changed: reported before the sound is compared.
  package struct EnvironmentChange: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
      case chain, input, sampleRate, blockSize, unit, plugin, state, processor, denormals, seed,
        fxrun
    }

    package var kind: Kind
    /// The node that it is about, where it is about one.
    package var node: String?
    /// A sentence: "the plugin of 'pitch' is another build: 1.2 then, 1.4 now".
    package var message: String

    package init(_ kind: Kind, node: String? = nil, _ message: String) {
      self.kind = kind
      self.node = node
      self.message = message
    }
  }

  /// Where the sound begins to differ.
  package struct Divergence: Sendable, Equatable {
    package enum Place: String, Sendable {
      /// The node makes something else of the same input.
      case node
      /// What reaches the node is something else although no node before it is: a connection.
      case connection
      /// A source brings something else.
      case source
      /// The graph has another node here, or one less.
      case structure
      /// The node does not repeat itself, and nothing before it differs.
      case unsteady
    }

    package var place: Place
    package var node: String
    package var unit: String
    /// A frame at or before the first one that differs; the node's own, from the start of the render.
    package var frame: Int
    /// Decibels: the level of its output then and now.
    package var levelThen: Double?
    package var levelNow: Double?

    package init(
      _ place: Place, node: String, unit: String, frame: Int, levelThen: Double? = nil,
      levelNow: Double? = nil
    ) {
      self.place = place
      self.node = node
      self.unit = unit
      self.frame = frame
      self.levelThen = levelThen
      self.levelNow = levelNow
    }
  }

  /// A node, or the chain where it is nil, that has become slower.
  package struct Slowdown: Sendable, Equatable {
    package var node: String?
    package var then: Double
    package var now: Double

    package init(node: String?, then: Double, now: Double) {
      self.node = node
      self.then = then
      self.now = now
    }
  }

  /// One output's difference.
  package struct Output: Sendable {
    package var name: String
    /// nil where the golden keeps no sound to compare with.
    package var comparison: Comparison?
    package var isSame: Bool
    package var isWithinTolerance: Bool
    /// What came, and what it is held against; for the report.
    package var expectedSound: Sound?
    package var actualSound: Sound?

    package init(name: String, isSame: Bool, isWithinTolerance: Bool, comparison: Comparison? = nil)
    {
      self.name = name
      self.isSame = isSame
      self.isWithinTolerance = isWithinTolerance
      self.comparison = comparison
    }
  }

  package var name: String
  package var outcome: Outcome
  package var environment: [EnvironmentChange] = []
  package var outputs: [Output] = []
  /// Where it begins, the earliest first; several where branches differ on their own.
  package var divergences: [Divergence] = []
  package var slowdowns: [Slowdown] = []
  package var warnings: [String] = []
  /// What is worth knowing although nothing has to be done.
  package var notes: [String] = []
  /// Processor seconds of the render.
  package var seconds = 0.0

  package init(name: String, outcome: Outcome) {
    self.name = name
    self.outcome = outcome
  }
}
