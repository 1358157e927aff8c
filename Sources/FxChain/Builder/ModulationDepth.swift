import FxAudio
import FxEngine

/// The depth of a modulation: its scale and its value.
struct ModulationDepth {
  private enum Amount {
    case raw(RawValue)
    /// A share of the parameter's range.
    case share(Double)
  }

  let scale: Modulation.Scale
  private let name: String
  private let target: ParameterSpec
  private let amount: Amount

  /// - Parameter depth: As written; nil for the full range.
  init(_ name: String, of target: ParameterSpec, isBipolar: Bool, _ depth: Located<RawValue>?) {
    self.name = name
    self.target = target
    guard let depth else {
      scale = target.modulationScale
      amount = .share(isBipolar ? 0.5 : 1)
      return
    }
    guard case .plain(let number, let spelling)? = depth.value.quantity,
      let unit = UnitOfMeasure.named(spelling)
    else {
      scale = target.modulationScale
      amount = .raw(depth.value)
      return
    }
    switch unit.unit {
    case .percent where target.measure != .ratio:
      scale = target.modulationScale
      amount = .share(number * unit.factor)
    case .octaves, .semitones:
      let isRatio = [.hertz, .seconds].contains(target.measure)
      scale = isRatio ? .octaves : target.modulationScale
      amount = .raw(depth.value)
    case .hertz:
      scale = .linear
      amount = .raw(depth.value)
    default:
      scale = target.modulationScale
      amount = .raw(depth.value)
    }
  }

  /// The depth as a parameter of the modulated node.
  func spec(defaultValue: Double) -> ParameterSpec {
    ParameterSpec(
      name, "How far '\(name)' moves '\(target.id)'.", measure, -limit...limit,
      default: defaultValue)
  }

  /// The depth in the unit of measure of its parameter.
  func value(context: ValueContext) throws(ValueProblem) -> Double {
    switch amount {
    case .raw(let raw): try spec(defaultValue: 0).value(raw, context: context)
    case .share(let share): share * whole
    }
  }

  private var measure: Measure {
    switch scale {
    case .octaves: .octaves
    case .decibels: .decibels
    case .linear: target.measure
    }
  }

  /// The parameter's whole range.
  private var whole: Double {
    let (low, high) = (target.range.lowerBound, target.range.upperBound)
    switch scale {
    case .octaves: return low > 0 ? Double(Math.log2(Float(high / low))) : 10
    case .decibels: return low.isFinite && high.isFinite ? high - low : 60
    case .linear: return (high - low).isFinite ? high - low : 1
    }
  }

  private var limit: Double {
    switch scale {
    case .octaves: 20
    case .decibels: 200
    case .linear: (target.range.upperBound - target.range.lowerBound).isFinite ? whole : 1e9
    }
  }
}
