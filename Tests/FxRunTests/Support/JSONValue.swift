import Foundation

/// A JSON value that Foundation has parsed.
indirect enum JSONValue: Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(_ bytes: [UInt8]) throws {
    self.init(try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed))
  }

  private init(_ value: Any) {
    switch value {
    case let values as [Any]: self = .array(values.map { JSONValue($0) })
    case let members as [String: Any]: self = .object(members.mapValues { JSONValue($0) })
    case let text as String: self = .string(text)
    case let number as NSNumber:
      let isBool = String(cString: number.objCType) == "c"
      self = isBool ? .bool(number.boolValue) : .number(number.doubleValue)
    default: self = .null
    }
  }

  subscript(key: String) -> JSONValue {
    if case .object(let members) = self { members[key] ?? .null } else { .null }
  }

  subscript(index: Int) -> JSONValue {
    guard case .array(let values) = self, values.indices.contains(index) else { return .null }
    return values[index]
  }

  var keys: [String] { if case .object(let members) = self { members.keys.sorted() } else { [] } }
  var elements: [JSONValue] { if case .array(let values) = self { values } else { [] } }
  var number: Double? { if case .number(let number) = self { number } else { nil } }
  var text: String? { if case .string(let text) = self { text } else { nil } }
}
