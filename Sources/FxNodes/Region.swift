/// The way of a level over a fade.
public enum FadeShape: String, ParameterChoice {
  case linear, equalPower, exponential, sCurve
}

/// A fade: its length, and the way of its level.
public struct Fade: ParameterQuantity, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  public var time: Time
  /// nil for `linear`, in a crossfade for `equalPower`.
  public var shape: FadeShape?

  public init(_ time: Time, _ shape: FadeShape? = nil) {
    self.time = time
    self.shape = shape
  }

  public init(floatLiteral seconds: Double) { self.init(Time(seconds)) }
  public init(integerLiteral seconds: Int) { self.init(Time(Double(seconds))) }

  public static func seconds(_ number: Double) -> Fade { Fade(.seconds(number)) }
  public static func milliseconds(_ number: Double) -> Fade { Fade(.milliseconds(number)) }

  public var chainValue: ChainValue {
    guard let shape else { return time.chainValue }
    return ["time": time.chainValue, "curve": shape.chainValue]
  }

  public init?(chainValue: ChainValue) {
    guard let time = Time(chainValue: chainValue["time"] ?? chainValue) else { return nil }
    self.init(time, chainValue["curve"].flatMap { FadeShape(chainValue: $0) })
  }
}

/// How often a sound is repeated; a literal is a number of times.
public enum Repetition: ParameterQuantity, ExpressibleByIntegerLiteral {
  case times(Int)
  case forever

  public init(integerLiteral number: Int) { self = .times(number) }

  public var chainValue: ChainValue {
    switch self {
    case .times(let number): number.chainValue
    case .forever: "forever"
    }
  }

  public init?(chainValue: ChainValue) {
    if chainValue.text == "forever" {
      self = .forever
    } else if let number = Int(chainValue: chainValue) {
      self = .times(number)
    } else {
      return nil
    }
  }
}

/// Where a region of a player ends at the latest.
public enum RegionEnd: ParameterQuantity {
  case at(Time)
  /// Together with the region of this id.
  case with(String)

  public var chainValue: ChainValue {
    switch self {
    case .at(let time): time.chainValue
    case .with(let id): .string(id)
    }
  }

  public init?(chainValue: ChainValue) {
    guard let time = Time(chainValue: chainValue) else { return nil }
    if let text = chainValue.text, text.first?.isLetter == true {
      self = .with(text)
    } else {
      self = .at(time)
    }
  }
}

/// A piece of a file in the schedule of a player.
public struct Region: ParameterQuantity {
  public internal(set) var chainValue: ChainValue

  public init?(chainValue: ChainValue) {
    guard case .object = chainValue else { return nil }
    self.chainValue = chainValue
  }

  mutating func set<Value: ParameterQuantity>(_ key: String, _ value: Value?) {
    if let value { chainValue[key] = value.chainValue }
  }
}
