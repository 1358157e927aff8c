import FxAudio

/// One section of a filter. With order 2 it is the whole filter with its Q, with order 1 a single
/// pole, with any other order a part of a Butterworth filter.
struct SectionPlace: BitwiseCopyable {
  let index: Int
  let order: Int

  // MARK: - Realtime

  @_noLocks
  init(index: Int, order: Int) {
    self.index = index
    self.order = order
  }

  /// The shape of the section.
  @_noLocks
  func shape(_ shape: FilterShape) -> FilterShape {
    guard Butterworth.isFirstOrder(section: index, order: order) else { return shape }
    switch shape {
    case .lowPass: return .gentleLowPass
    case .highPass: return .gentleHighPass
    case .lowShelf: return .gentleLowShelf
    case .highShelf: return .gentleHighShelf
    case .allPass: return .gentleAllPass
    default: return shape
    }
  }

  /// The Q of the section, for a given Q of the filter.
  @_noLocks
  func quality(_ quality: Double) -> Double {
    order == 2 ? quality : order == 1 ? 1 : Butterworth.q(section: index, order: order)
  }
}
