/// Writes numbers and texts one after another, for another process of the same program.
package struct ByteEncoder {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func put(_ value: Int) {
    withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
  }

  package mutating func put(_ value: Double) { put(Int(bitPattern: UInt(value.bitPattern))) }

  package mutating func put(_ value: Bool) { put(value ? 1 : 0) }

  package mutating func put(_ text: String) { put(Array(text.utf8)) }

  package mutating func put(_ block: [UInt8]) {
    put(block.count)
    bytes.append(contentsOf: block)
  }

  package mutating func put<Element>(
    _ list: [Element], _ each: (inout ByteEncoder, Element) -> Void
  ) {
    put(list.count)
    for element in list { each(&self, element) }
  }
}

/// Reads what a `ByteEncoder` wrote. Missing data reads as zero and clears `isSound`.
package struct ByteDecoder {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  /// False once something could not be read.
  package private(set) var isSound = true

  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  package mutating func int() -> Int {
    guard position + 8 <= bytes.count else {
      isSound = false
      return 0
    }
    defer { position += 8 }
    return bytes.loadUnaligned(fromByteOffset: position, as: Int.self)
  }

  package mutating func double() -> Double { Double(bitPattern: UInt64(UInt(bitPattern: int()))) }

  package mutating func flag() -> Bool { int() != 0 }

  package mutating func text() -> String { String(decoding: block(), as: UTF8.self) }

  package mutating func block() -> [UInt8] {
    let count = int()
    guard count >= 0, count <= bytes.count - position else {
      isSound = false
      return []
    }
    defer { position += count }
    return Array(bytes[position..<(position + count)])
  }

  package mutating func list<Element>(_ each: (inout ByteDecoder) -> Element) -> [Element] {
    let count = int()
    guard count >= 0, count <= bytes.count - position else {
      isSound = isSound && count == 0
      return []
    }
    var list: [Element] = []
    for _ in 0..<count { list.append(each(&self)) }
    return list
  }
}
