import Foundation
@testable import FxKit
import FxTestSupport
import Testing

@Suite struct `The law of wet` {
  /// The dry share of the output, measured with a constant input and a silent wet signal.
  private func dryShare(_ keys: String) throws -> Float {
    let chain = Chain(
      json: """
        { "version": 1, "chain": [ { "unit": "gain", "parameters": { "gain": "-inf" }, \(keys) } ] }
        """)
    let output = try ChainRenderer(chain, channels: 1).render([[Float](repeating: 0.5, count: 64)])
    return try #require(output.first?.last) / 0.5
  }

  @Test func `is linear by default`() throws {
    #expect(try dryShare("\"wet\": 0.25") == 0.75)
    #expect(try dryShare("\"wet\": 0.25, \"wetLaw\": \"linear\"") == 0.75)
  }

  @Test func `keeps the power if it is set to power`() throws {
    let share = try dryShare("\"wet\": 0.5, \"wetLaw\": \"power\"")
    #expect(abs(Double(share) - 0.5.squareRoot()) < 1e-6)
    #expect(try dryShare("\"wet\": 0, \"wetLaw\": \"power\"") == 1)
    #expect(try dryShare("\"wet\": 1, \"wetLaw\": \"power\"") == 0)
  }
}
