import Foundation
import FxImport
import FxKit
import FxTestSupport
import Testing

/// Damaged configurations: each is refused with a message, or becomes a chain with a report.
@Suite struct MutationTests {
  @Test(arguments: ForeignFormat.allCases)
  func `damaged configurations are refused or reported`(_ format: ForeignFormat) throws {
    let paths = ConfigurationTests.fixtures.filter { $0.contains("/\(format.rawValue)/") }
    var random = SeededRandom(1)
    for round in 0..<(2000 / ForeignFormat.allCases.count) {
      let path = paths[round % paths.count]
      var bytes = Array(try Data(contentsOf: URL(filePath: path)))
      for _ in 0..<Int.random(in: 1...4, using: &random) { Self.damage(&bytes, &random) }
      do {
        let imported = try Imports.read(bytes, path, format)
        #expect(!imported.graph.json.isEmpty)
        // A value that was lost would make the report shorter than its lines.
        #expect(!imported.report.parts.isEmpty || bytes.count < 40, "\(path), round \(round)")
      } catch let failure as ChainFailure {
        #expect(failure.kind == .input && failure.message.contains(path), "\(failure.message)")
      }
    }
  }

  private static func damage(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
    guard !bytes.isEmpty else { return }
    let at = Int.random(in: 0..<bytes.count, using: &random)
    switch Int.random(in: 0..<7, using: &random) {
    case 0: bytes.remove(at: at)
    case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: at)
    case 2:
      let marks: [UInt8] = [0x22, 0x27, 0x5b, 0x7b, 0x7d, 0x5d, 0x0a, 0x3a]
      bytes[at] = marks[Int.random(in: 0..<marks.count, using: &random)]
    case 3: bytes.removeSubrange(at..<min(at + 40, bytes.count))
    case 4:
      let piece = bytes[at..<min(at + 60, bytes.count)]
      bytes.insert(contentsOf: piece, at: at)
    case 5:
      // A number becomes one that nobody expects.
      guard let digit = bytes[at...].firstIndex(where: { $0 >= 0x30 && $0 <= 0x39 }) else { return }
      let numbers = ["-1", "0", "1e308", "999999999999999999999", "nan", "1e-320", "-0.0"]
      bytes.replaceSubrange(
        digit...digit, with: Array(numbers[Int.random(in: 0..<numbers.count, using: &random)].utf8))
    default: bytes.removeSubrange(at...)
    }
  }

  @Test(arguments: [
    ("[", 5000), ("{a: ", 5000), ("a: &a [", 3000),
  ])
  func `deep nesting is refused`(_ piece: String, _ count: Int) {
    let text = "pipeline:\nfilters: " + String(repeating: piece, count: count)
    for format in [ForeignFormat.camillaDSP, .easyEffects, .piPedal, .pipeWire] {
      #expect(throws: ChainFailure.self) {
        try Imports.read(Array(text.utf8), "deep", format)
      }
    }
  }

  @Test func `aliases that multiply are refused`() {
    var text = "pipeline: []\ndevices: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in 1...9 {
      let alias = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
      text += "k\(level): &a\(level) [\(alias)]\n"
    }
    #expect(throws: ChainFailure.self) { try Imports.read(Array(text.utf8), "many", .camillaDSP) }
  }
}
