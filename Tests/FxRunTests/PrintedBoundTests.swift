import FxTestSupport
import Testing

/// The printed bounds of a parameter are valid input.
@Suite struct PrintedBoundTests {
  private let folder = Folder()

  /// `  gain  -90…24 dB  default 0  Gain` as numbers by name.
  private func printed() throws -> [(name: String, numbers: [Substring])] {
    let outcome = try folder.run(
      "plugins", "show", "urn:fxrun:test:bounds", environment: TestPlugins.environment)
    let rows = outcome.text.split(separator: "\n").drop { $0 != "parameters:" }.dropFirst()
    return rows.compactMap { row in
      let words = row.split(separator: " ")
      guard words.count > 3, let standard = words.firstIndex(of: "default") else { return nil }
      return (String(words[0]), words[1].split(separator: "…") + [words[standard + 1]])
    }
  }

  @Test func `bounds are the shortest numbers that 32 bits tell apart`() throws {
    let rows = try printed().map { "\($0.name) \($0.numbers.joined(separator: " "))" }
    #expect(
      rows == [
        "tenth 0.1 0.7 0.3", "tiny 1e-10 3.3e-07 2e-10",
        "huge -3.4028235e+38 3.4028235e+38 1.7e+38", "third 0.3333333 0.6666667 0.4",
        "time 0.0007 0.3333 0.0333", "share 0.001 0.999 0.123", "pitch 20.1 95999.9 440.1",
        "part 9.6 23995.2 4800",
      ])
  }

  @Test func `a printed bound is accepted as a value`() throws {
    for (name, numbers) in try printed() {
      for number in numbers {
        try folder.write(
          "chain.json",
          """
          { "version": 1, "sampleRate": 48000, "chain": [
            { "lv2": "urn:fxrun:test:bounds", "parameters": { "\(name)": \(number) } } ] }
          """)
        let outcome = try folder.run("check", "chain.json", environment: TestPlugins.environment)
        #expect(outcome.exitCode == 0, "\(name) \(number): \(outcome.text)")
      }
    }
  }

  @Test(arguments: ["0.10000000149011612", "0.69999998807907104", "0.7000000001"])
  func `a number that rounds to a bound in 32 bits is accepted`(_ number: String) throws {
    try folder.write(
      "chain.json",
      """
      { "version": 1, "chain": [
        { "lv2": "urn:fxrun:test:bounds", "parameters": { "tenth": \(number) } } ] }
      """)
    let outcome = try folder.run("check", "chain.json", environment: TestPlugins.environment)
    #expect(outcome.exitCode == 0, "\(outcome.text)")
  }

  @Test func `a number beyond a bound is refused with the bounds as they are printed`() throws {
    try folder.write(
      "chain.json",
      #"{ "version": 1, "chain": [{ "lv2": "urn:fxrun:test:bounds", "parameters": { "tenth": 0.70001 } }] }"#
    )
    let outcome = try folder.run("check", "chain.json", environment: TestPlugins.environment)
    #expect(outcome.exitCode == 2)
    #expect(outcome.text.contains("'tenth' 0.70001 is above the maximum of 0.7"), "\(outcome.text)")
    #expect(outcome.text.contains("tenth: 0.1…0.7, default 0.3"))
  }
}
