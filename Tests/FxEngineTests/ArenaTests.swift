@testable import FxEngine
import Testing

@Suite("Arenas")
struct ArenaTests {
  @Test("Packed values lie one behind the other, aligned to 16 bytes")
  func packing() {
    var arena = Arena()
    defer { arena.destroy() }
    let first = UInt(bitPattern: arena.pack([1, 2, 3]))
    let second = UInt(bitPattern: arena.pack([Float(4)]))
    let third = UInt(bitPattern: arena.pack([5]))
    #expect(second - first == 32)
    #expect(third - second == 16)
    #expect(first % 64 == 0)
  }

  @Test("What is packed behind an end, and what is not packed, begins a cache line")
  func lines() {
    var arena = Arena()
    defer { arena.destroy() }
    _ = arena.pack([1])
    arena.endPacking()
    let packed = arena.pack([2])
    let samples = arena.allocate(Float.self, count: 3, repeating: 7)
    #expect(UInt(bitPattern: packed) % 64 == 0)
    #expect(UInt(bitPattern: samples) % 64 == 0)
    #expect(packed.pointee == 2)
    #expect((0..<3).allSatisfy { samples[$0] == 7 })
  }

  @Test("Values of several types share an allocation without overlapping")
  func layout() {
    var layout = MemoryLayoutPlan()
    let flags = layout.add(Bool.self, count: 3)
    let numbers = layout.add(Double.self, count: 2)
    let none = layout.add(Int32.self, count: 0)
    #expect(layout.byteCount == 8 + 16 + 4)
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: layout.byteCount, alignment: MemoryLayoutPlan.alignment)
    defer { memory.deallocate() }
    flags.bind(in: memory).initialize(repeating: true, count: 3)
    numbers.bind(in: memory).initialize(repeating: 0.5, count: 2)
    none.bind(in: memory).initialize(to: 9)
    #expect(memory.load(fromByteOffset: 2, as: Bool.self))
    #expect(memory.load(fromByteOffset: 16, as: Double.self) == 0.5)
    #expect(memory.load(fromByteOffset: 24, as: Int32.self) == 9)
  }

  @Test("A cache line may start within a value, and nothing overlaps it")
  func lineWithin() {
    var layout = MemoryLayoutPlan()
    let bytes = layout.add(UInt8.self, count: 30)
    let numbers = layout.add(Int.self, count: 9, startingLineAt: 24)
    let behind = layout.add(UInt8.self)
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: layout.byteCount, alignment: MemoryLayoutPlan.alignment)
    defer { memory.deallocate() }
    let start = UInt(bitPattern: numbers.bind(in: memory))
    #expect((start + 24) % 64 == 0)
    #expect(start >= UInt(bitPattern: bytes.bind(in: memory)) + 30)
    #expect(UInt(bitPattern: behind.bind(in: memory)) >= start + 72)
    #expect(start + 72 < UInt(bitPattern: memory) + UInt(layout.byteCount))
  }
}
