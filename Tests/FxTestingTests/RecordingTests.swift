import Foundation
import FxKit
@testable import FxTesting
import Testing

@Suite struct RecordingTests {
  private let folder = GoldenFolder()

  private func check(
    _ chain: Chain, _ mode: RecordingMode, as name: String = "voice",
    within tolerance: Golden.Tolerance = .exact
  ) throws -> GoldenCheck.Outcome {
    let rendering = try chain.rendering(.noise, seconds: 0.02)
    return GoldenCheck(rendering, folder.golden(name, within: tolerance), mode: mode).outcome
  }

  /// Records like a new process, without the earlier recordings of this one.
  private func record(_ chain: Chain, within tolerance: Golden.Tolerance = .exact) throws -> String?
  {
    let rendering = try chain.rendering(.noise, seconds: 0.02)
    let golden = folder.golden("voice", within: tolerance)
    return try GoldenRecorder().record(rendering.testCase(for: golden), rendering)
  }

  @Test func `a missing golden fails and says how to record it`() throws {
    let outcome = try check(.voice(), .off)
    let message = try #require(outcome.failure?.message)
    #expect(message.contains("no golden 'voice' yet"))
    #expect(message.contains("FXTESTING_RECORD=missing swift test"))
    #expect(try folder.files.isEmpty)
  }

  @Test func `a golden that is recorded is matched from then on`() throws {
    #expect(try check(.voice(), .all).words?.contains("'voice' is recorded") == true)
    #expect(try folder.files == ["voice.golden.json", "voice.wav"])
    #expect(try check(.voice(), .off).isSame)
    #expect(try check(.voice(gain: -3.01), .off).failure != nil)
  }

  @Test func `missing goldens are recorded and the others compared`() throws {
    _ = try record(.voice())
    let failure = try check(.voice(gain: -4), .missing).failure
    #expect(failure?.message.contains("does not sound like") == true)
    #expect(try check(.voice(gain: -4), .missing, as: "louder").words != nil)
    #expect(try folder.files.contains("louder.wav"))
  }

  @Test func `recording again reports changes and keeps goldens without any`() throws {
    _ = try record(.voice())
    let files = try folder.files.map {
      try folder.text($0.hasSuffix("json") ? $0 : "voice.golden.json")
    }
    #expect(try record(.voice()) == nil)
    #expect(try folder.text("voice.golden.json") == files[0])
    let words = try #require(try record(.voice(gain: -4)))
    #expect(words.contains("1.00 dB quieter, nothing else"), "\(words)")
    #expect(try check(.voice(gain: -4), .off).isSame)
  }

  @Test func `a golden with another environment and the same sound is recorded again`() throws {
    _ = try record(.voice())
    let other = Chain(
      json: """
        { "version": 1, "tail": "none", "chain": [
          { "id": "fader", "unit": "gain", "parameters": { "gain": "-3 dB" } },
          { "id": "cut", "unit": "highPass", "parameters": { "frequency": "120 Hz" } },
          { "id": "level", "unit": "meter" } ] }
        """, path: "voice.json")
    let words = try #require(try record(other))
    #expect(words.contains("sounds the same") && words.contains("level"), "\(words)")
  }

  @Test func `a golden within its tolerance is not recorded again`() throws {
    _ = try record(.voice())
    // The chain differs in a value; the sound is within the tolerance.
    let words = try record(.voice(gain: -3.0001), within: .peak(-60))
    #expect(words?.contains("sounds the same") == true)
    #expect(try check(.voice(), .off, within: .peak(-60)).isSame)
  }

  @Test func `two tests cannot record different sounds under one name`() throws {
    #expect(try check(.voice(), .all).words != nil)
    #expect(try check(.voice(), .all).isSame)
    let failure = try check(.voice(gain: -9), .all).failure
    #expect(failure?.message.contains("another test has recorded another sound") == true)
  }

  @Test func `goldens are recorded in parallel without getting mixed up`() async throws {
    let folder = folder
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<12 {
        group.addTask {
          let rendering = try Chain.voice(gain: -Double(index % 4)).rendering(.noise, seconds: 0.01)
          let golden = folder.golden("voice-\(index % 4)")
          if let failure = GoldenCheck(rendering, golden, mode: .all).outcome.failure {
            Issue.record("\(failure.message)")
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try folder.files.count == 8)
    for index in 0..<4 {
      let rendering = try Chain.voice(gain: -Double(index)).rendering(.noise, seconds: 0.01)
      #expect(GoldenCheck(rendering, folder.golden("voice-\(index)"), mode: .off).outcome.isSame)
    }
  }

  @Test(arguments: ["../voice", "", ".", "a//b", "/voice", "voice/", "a\0b", ".hidden"])
  func `an invalid file name is refused`(_ name: String) throws {
    #expect(
      try check(.voice(), .all, as: name).failure?.message.contains("cannot be a golden's name")
        == true
    )
    #expect(try folder.files.isEmpty)
  }

  @Test func `a name may have folders`() throws {
    #expect(try check(.voice(), .all, as: "voices/loud").words != nil)
    #expect(try check(.voice(), .off, as: "voices/loud").isSame)
    #expect(try folder.files == ["voices"])
  }

  @Test func `a folder that cannot be written is reported`() throws {
    let rendering = try Chain.voice().rendering(.noise, seconds: 0.01)
    let golden = Golden.golden("voice", in: "/proc/nothing")
    let failure = GoldenCheck(rendering, golden, mode: .all).outcome.failure
    #expect(failure?.message.contains("cannot be recorded: /proc/nothing") == true)
  }

  @Test func `the variable selects the goldens to record`() {
    #expect(RecordingMode(nil) == .off && RecordingMode("") == .off && RecordingMode("0") == .off)
    #expect(RecordingMode("1") == .all && RecordingMode("ALL") == .all)
    #expect(RecordingMode("missing") == .missing)
    #expect(RecordingMode("new") == .unknown("new"))
  }

  @Test func `an unknown value of the variable fails`() throws {
    let failure = try check(.voice(), .unknown("new")).failure
    #expect(failure?.message.contains("FXTESTING_RECORD='new'") == true)
    #expect(try folder.files.isEmpty)
  }
}

extension GoldenCheck.Outcome {
  var isSame: Bool { if case .same = self { true } else { false } }
  var words: String? { if case .recorded(let words) = self { words } else { nil } }
  var failure: GoldenCheck.Failure? { if case .failed(let failure) = self { failure } else { nil } }
}
