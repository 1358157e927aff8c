import Foundation
import FxTestSupport

/// Numbers of a text file in Tests/Fixtures/dsp, a row a line; a line that begins with # says where
/// they are from.
enum Reference {
  static func rows(_ name: String) throws -> [[Double]] {
    let path = URL(filePath: "\(Fixture.tests)/Fixtures/dsp/\(name)")
    return try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
      .map { line in line.split(separator: " ").compactMap { Double($0) } }
  }

  /// The noise that the references were made of.
  static func noise(_ count: Int) -> [Float] {
    (0..<count).map { index -> Float in
      let number = (index * index * 7919 + index * 104_729) % 65521
      return Float(Double(number) / 65521 - 0.5)
    }
  }
}
