/// A value of a chain's document, as JSON: for keys and parameters that have no type of their own.
///
/// Literals of every kind work: `"3.2 kHz"`, `0.5`, `true`, `[1, 2]`, `["file": "take.wav"]`.
public indirect enum ChainValue: Sendable, Hashable {
  /// Members in the order in which they are written.
  case object([Member])
  case array([ChainValue])
  case string(String)
  /// A number that is not finite cannot be written: a check reports it.
  case number(Double)
  case bool(Bool)
  case null

  /// A key of an object and its value.
  public struct Member: Sendable, Hashable {
    public var key: String
    public var value: ChainValue

    public init(_ key: String, _ value: ChainValue) {
      self.key = key
      self.value = value
    }
  }

  /// A member of an object by its key; nil if there is none, or if the value is no object. A new
  /// key comes last, and nil removes the key.
  public subscript(key: String) -> ChainValue? {
    get { members.value(of: key) }
    set {
      var members = members
      members.set(key, newValue)
      self = .object(members)
    }
  }

  /// The members of an object; none of any other value.
  public var members: [Member] {
    if case .object(let members) = self { members } else { [] }
  }

  /// The elements of an array; none of any other value.
  public var elements: [ChainValue] {
    if case .array(let elements) = self { elements } else { [] }
  }

  /// The text of a string; nil for any other value.
  public var text: String? {
    if case .string(let text) = self { text } else { nil }
  }
}

extension [ChainValue.Member] {
  /// The value of the first member with this key.
  func value(of key: String) -> ChainValue? { first { $0.key == key }?.value }

  /// Replaces the value of a key; a new key comes last, and nil removes the key.
  mutating func set(_ key: String, _ value: ChainValue?) {
    let index = firstIndex { $0.key == key }
    switch (index, value) {
    case (let index?, let value?): self[index].value = value
    case (let index?, nil): remove(at: index)
    case (nil, let value?): append(ChainValue.Member(key, value))
    case (nil, nil): break
    }
  }
}

extension ChainValue: ExpressibleByStringLiteral, ExpressibleByFloatLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(floatLiteral value: Double) { self = .number(value) }
  public init(integerLiteral value: Int) { self = .number(Double(value)) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(arrayLiteral elements: ChainValue...) { self = .array(elements) }
  public init(dictionaryLiteral members: (String, ChainValue)...) {
    self = .object(members.map { Member($0.0, $0.1) })
  }
}
