import FxChain
@testable import FxKit

/// Everything that decides how a chain sounds and how it is controlled.
struct ComparablePlan: Equatable {
  private let built: BuiltChain

  fileprivate init(_ built: BuiltChain) { self.built = built }

  static func == (left: ComparablePlan, right: ComparablePlan) -> Bool {
    let (left, right) = (left.built, right.built)
    return left.graph == right.graph && left.tail == right.tail && left.exposed == right.exposed
      && left.scenes == right.scenes && left.startScene == right.startScene
      && left.controls == right.controls
  }
}

/// The plan of a chain, without its sources opened.
func plan(_ chain: Chain) throws -> ComparablePlan { ComparablePlan(try chain.planned().built) }
