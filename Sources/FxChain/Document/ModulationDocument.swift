import FxEngine

/// A control signal that moves a parameter, as written in the chain: an entry of `modulation`, or a
/// connection to a parameter.
struct ModulationDocument: Sendable, Equatable {
  /// The parameter name of its depth; nil: the source's name.
  package var id: Located<String>?
  package var from: EndDocument
  /// `node.parameter`, or a name that an included chain exposes.
  package var to: Located<String>
  package var depth: Located<RawValue>?
  package var curve = Modulation.Curve.linear
  /// nil: that of the source.
  package var isBipolar: Bool?
  /// Two values of the source, or none.
  package var range: [Located<Double>] = []
  package var feedback: Located<Bool>?
  package var delay: Located<RawValue>?
  package var place: Place
}
