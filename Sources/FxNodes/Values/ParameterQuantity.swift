import FxChain

/// The type of a parameter's or an option's value.
public protocol ParameterQuantity: Sendable, Hashable {
  /// The value as it is written in a chain.
  var chainValue: ChainValue { get }

  /// A value of a chain; nil if it is not of this type.
  init?(chainValue: ChainValue)
}

extension ChainValue: ParameterQuantity {
  public var chainValue: ChainValue { self }
  public init?(chainValue: ChainValue) { self = chainValue }
}

/// A number without a unit of measure.
extension Double: ParameterQuantity {
  public var chainValue: ChainValue { .number(self) }

  public init?(chainValue: ChainValue) {
    guard case .number(let number) = chainValue else { return nil }
    self = number
  }
}

extension Int: ParameterQuantity {
  public var chainValue: ChainValue { .number(Double(self)) }

  public init?(chainValue: ChainValue) {
    guard case .number(let number) = chainValue, let whole = Int(exactly: number) else {
      return nil
    }
    self = whole
  }
}

extension Bool: ParameterQuantity {
  public var chainValue: ChainValue { .bool(self) }

  public init?(chainValue: ChainValue) {
    guard case .bool(let flag) = chainValue else { return nil }
    self = flag
  }
}

extension String: ParameterQuantity {
  public var chainValue: ChainValue { .string(self) }

  public init?(chainValue: ChainValue) {
    guard let text = chainValue.text else { return nil }
    self = text
  }
}

extension Array: ParameterQuantity where Element: ParameterQuantity {
  public var chainValue: ChainValue { .array(map(\.chainValue)) }

  public init?(chainValue: ChainValue) {
    guard case .array(let values) = chainValue else { return nil }
    let elements = values.compactMap { Element(chainValue: $0) }
    guard elements.count == values.count else { return nil }
    self = elements
  }
}

/// Texts by key, written in the order of the keys.
extension [String: String]: ParameterQuantity {
  public var chainValue: ChainValue {
    .object(sorted { $0.key < $1.key }.map { ChainValue.Member($0.key, .string($0.value)) })
  }

  public init?(chainValue: ChainValue) {
    guard case .object(let members) = chainValue else { return nil }
    self = Dictionary(members.compactMap { member in member.value.text.map { (member.key, $0) } }) {
      $1
    }
    guard count == members.count else { return nil }
  }
}

/// The words of a choice.
extension ParameterQuantity where Self: RawRepresentable, RawValue == String {
  public var chainValue: ChainValue { .string(rawValue) }

  public init?(chainValue: ChainValue) {
    guard let text = chainValue.text else { return nil }
    self.init(rawValue: text)
  }
}

/// A quantity with units of measure. A number literal is in the parameter's own unit, as in a chain
/// file.
public protocol MeasuredQuantity: ParameterQuantity, ExpressibleByFloatLiteral,
  ExpressibleByIntegerLiteral
where FloatLiteralType == Double, IntegerLiteralType == Int {
  /// A value as it is written in a chain; its unit of measure is checked with the chain.
  init(written chainValue: ChainValue)

  /// A number in the parameter's own unit of measure.
  init(_ number: Double)
}

extension MeasuredQuantity {
  public init?(chainValue: ChainValue) {
    switch chainValue {
    case .number, .string: self.init(written: chainValue)
    default: return nil
    }
  }

  /// A number in the parameter's own unit of measure.
  public init(_ number: Double) { self.init(written: .number(number)) }

  public init(floatLiteral number: Double) { self.init(number) }
  public init(integerLiteral number: Int) { self.init(Double(number)) }

  /// The value of one of the chain's variables: `.variable("cut")` is written `"${cut}"`.
  public static func variable(_ name: String) -> Self { Self(written: .string("${\(name)}")) }

  /// A number with its unit of measure: `80 Hz`.
  static func measured(_ number: Double, _ unit: String) -> Self {
    number.isFinite ? Self(written: .string("\(shortNumber(number)) \(unit)")) : Self(number)
  }
}

/// A choice of one of the words of an option, or of a parameter.
public protocol ParameterChoice: ParameterQuantity, RawRepresentable, CaseIterable
where RawValue == String {}
