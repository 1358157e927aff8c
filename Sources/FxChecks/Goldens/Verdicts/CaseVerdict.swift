import FxChain
package import FxKit

/// The verdict of a case.
package struct CaseVerdict: Sendable {
  package enum Outcome: Sendable {
    case passed
    /// There is no golden yet.
    case new
    /// The sound or its cost differs.
    case differs
    /// It could not be rendered, or its golden could not be read.
    case failed(ChainFailure)
  }

  /// A change of the render environment; reported before the sound is compared.
  package struct EnvironmentChange: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
      case chain, input, sampleRate, blockSize, unit, plugin, state, shape, processor, denormals,
        seed,
        fxrun
    }

    package var kind: Kind
    /// The node that changed; nil if the change is not about a node.
    package var node: String?
    /// A sentence: "the plugin of 'pitch' is another build: 1.2 then, 1.4 now".
    package var message: String

    package init(_ kind: Kind, node: String? = nil, _ message: String) {
      self.kind = kind
      self.node = node
      self.message = message
    }
  }

  /// The place where the sound begins to differ.
  package struct Divergence: Sendable, Equatable {
    package enum Place: String, Sendable {
      /// The node's output differs for the same input.
      case node
      /// The node's input differs although no node before it does: a connection changed.
      case connection
      /// The signal of a source differs.
      case source
      /// A node was added, removed or replaced here.
      case structure
      /// The node is not repeatable, and nothing before it differs.
      case unsteady
    }

    package var place: Place
    package var node: String
    package var unit: String
    /// A frame at or before the first one that differs, on the node's own timeline from the start
    /// of the render.
    package var frame: Int
    /// The level of its output in decibels, then and now.
    var levelThen: Double?
    var levelNow: Double?

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

  /// A node that became slower, or the chain if `node` is nil.
  struct Slowdown: Sendable, Equatable {
    package var node: String?
    package var then: Double
    package var now: Double
  }

  /// One output's difference.
  package struct Output: Sendable {
    package var name: String
    /// nil if the golden has no sound to compare with.
    package var comparison: Comparison?
    package var isSame: Bool
    package var isWithinTolerance: Bool
    /// The expected and the rendered sound, for the report.
    var expectedSound: Sound?
    var actualSound: Sound?

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
  /// The places where the difference begins, the earliest first; several if branches differ
  /// independently.
  var divergences: [Divergence] = []
  var slowdowns: [Slowdown] = []
  package var warnings: [String] = []
  /// Useful facts that need no action.
  package var notes: [String] = []
  /// Processor seconds of the render.
  package var seconds = 0.0

  package init(name: String, outcome: Outcome) {
    self.name = name
    self.outcome = outcome
  }
}
