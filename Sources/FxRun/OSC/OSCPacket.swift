/// A packet of Open Sound Control 1.0: a message, or a bundle of packets with a time.
enum OSCPacket: Equatable {
  case message(OSCMessage)
  case bundle(OSCTime, [OSCPacket])

  /// Bundles in bundles that a packet may have.
  private static let depthLimit = 8

  /// - Throws: the reason why the bytes are no packet.
  init(_ bytes: some Collection<UInt8>) throws(OSCMistake) {
    var reader = OSCReader(bytes)
    self = try Self.read(&reader, depth: 0)
  }

  private static func read(_ reader: inout OSCReader, depth: Int) throws(OSCMistake) -> OSCPacket {
    guard reader.next == UInt8(ascii: "#") else { return .message(try OSCMessage(&reader)) }
    guard try reader.text() == "#bundle" else {
      throw OSCMistake("a packet begins with '/' or '#bundle'")
    }
    guard depth < depthLimit else { throw OSCMistake("bundles in bundles, too many") }
    let time = OSCTime(try reader.integer64())
    var parts: [OSCPacket] = []
    while !reader.isAtEnd {
      var part = OSCReader(try reader.bytes(count: Int(try reader.integer32())))
      parts.append(try read(&part, depth: depth + 1))
    }
    return .bundle(time, parts)
  }
}

struct OSCMistake: Error, Equatable {
  let text: String

  init(_ text: String) { self.text = text }
}

/// A time as NTP counts it: seconds from 1900 in the upper half, fractions of a second in the lower.
struct OSCTime: Equatable {
  let bits: UInt64

  init(_ bits: UInt64) { self.bits = bits }

  /// The time that means "now".
  static let immediately = OSCTime(1)

  /// Seconds from 1970 to 1900.
  private static let epoch = 2_208_988_800.0

  /// Seconds of the system's clock, from 1970.
  var seconds: Double {
    Double(bits >> 32) + Double(bits & 0xffff_ffff) / 4_294_967_296 - Self.epoch
  }
}

/// A message: an address such as `/comp/threshold`, and its arguments.
struct OSCMessage: Equatable {
  enum Argument: Equatable {
    case integer(Int32)
    case float(Float)
    case double(Double)
    case text(String)
    case flag(Bool)
    case bytes([UInt8])
    case nothing
  }

  let address: String
  var arguments: [Argument]

  init(_ address: String, _ arguments: [Argument] = []) {
    (self.address, self.arguments) = (address, arguments)
  }

  init(_ reader: inout OSCReader) throws(OSCMistake) {
    address = try reader.text()
    guard address.hasPrefix("/") else { throw OSCMistake("an address begins with '/'") }
    arguments = []
    // Old senders leave out the types of a message without arguments.
    guard !reader.isAtEnd else { return }
    let types = try reader.text()
    guard types.hasPrefix(",") else { throw OSCMistake("the types of \(address) begin with ','") }
    for type in types.dropFirst() { arguments.append(try Self.argument(type, &reader)) }
  }

  private static func argument(
    _ type: Character, _ reader: inout OSCReader
  ) throws(OSCMistake) -> Argument {
    switch type {
    case "i", "c", "r", "m": return .integer(Int32(bitPattern: try reader.integer32()))
    case "f": return .float(Float(bitPattern: try reader.integer32()))
    case "h": return .double(Double(Int64(bitPattern: try reader.integer64())))
    case "d": return .double(Double(bitPattern: try reader.integer64()))
    case "t": return .double(OSCTime(try reader.integer64()).seconds)
    case "s", "S": return .text(try reader.text())
    case "b":
      let bytes = Array(try reader.bytes(count: Int(try reader.integer32())))
      try reader.align()
      return .bytes(bytes)
    case "T": return .flag(true)
    case "F": return .flag(false)
    case "N", "I": return .nothing
    default: throw OSCMistake("fxrun does not read arguments of the type '\(type)'")
    }
  }

  /// The message as bytes.
  var bytes: [UInt8] {
    var types = ","
    var body: [UInt8] = []
    for argument in arguments {
      switch argument {
      case .integer(let number):
        types += "i"
        body += Self.bytes(of: UInt32(bitPattern: number))
      case .float(let number):
        types += "f"
        body += Self.bytes(of: number.bitPattern)
      case .double(let number):
        types += "d"
        body += Self.bytes(of: number.bitPattern)
      case .text(let text):
        types += "s"
        body += Self.bytes(of: text)
      case .flag(let flag): types += flag ? "T" : "F"
      case .bytes(let bytes):
        types += "b"
        body += Self.bytes(of: UInt32(bytes.count)) + bytes
        body += [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
      case .nothing: types += "N"
      }
    }
    return Self.bytes(of: address) + Self.bytes(of: types) + body
  }

  static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  /// A text with zeros to a multiple of four bytes, at least one.
  private static func bytes(of text: String) -> [UInt8] {
    let bytes = text.utf8.filter { $0 != 0 }
    return bytes + [UInt8](repeating: 0, count: 4 - bytes.count % 4)
  }
}
