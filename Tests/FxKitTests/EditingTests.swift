import FxAudio
@testable import FxKit
import FxTestSupport
import Testing

@Suite struct EditingTests {
  private let folder = TemporaryFolder()

  /// A ramp on two channels; each sample tells its frame.
  private func ramp(_ count: Int) throws -> String {
    try folder.writeSound(
      "in.wav", (0..<count).flatMap { [Float($0) / 32768, -Float($0) / 32768] }, rate: 1000,
      channels: 2)
  }

  private func render(
    _ count: Int = 3000, _ change: (inout RenderRequest) -> Void
  ) throws -> [[Int]] {
    let received = SampleCollector()
    var request = RenderRequest(inputs: ["main": try ramp(count)])
    request.sampleOutputs["main"] = .push { channels, _ in received.add(channels) }
    change(&request)
    _ = try Chain.empty.render(request)
    return received.samples.map { $0.map { Int(($0 * 32768).rounded()) } }
  }

  @Test func `the empty chain changes nothing`() throws {
    #expect(try render { _ in } == [Array(0..<3000), (0..<3000).map { -$0 }])
  }

  @Test func `a part of the input is repeated and reversed`() throws {
    let piece = try render {
      ($0.start, $0.duration) = (1, 0.5)
      $0.mainInput.playCount = 3
    }
    #expect(piece[0] == Array(repeating: Array(1000..<1500), count: 3).flatMap { $0 })
    let reversed = try render {
      ($0.start, $0.duration) = (1, 0.5)
      $0.mainInput.isReversed = true
    }
    #expect(reversed[0] == Array(1000..<1500).reversed())
  }

  @Test func `channels of the input are selected and swapped`() throws {
    #expect(try render { $0.mainInput.channels = [2] } == [(0..<3000).map { -$0 }])
    #expect(
      try render { $0.mainInput.channels = [2, 1] } == [(0..<3000).map { -$0 }, Array(0..<3000)])
    let failure = failure { _ = try render { $0.mainInput.channels = [3] } }
    #expect(failure?.message.contains("no channel 3") == true)
  }

  @Test func `silence is added, and the ends fade`() throws {
    let sound = try render(100) {
      ($0.encoding.shape.padStart, $0.encoding.shape.padEnd) = (0.01, 0.02)
      $0.encoding.shape.fadeOut = 0.05
    }
    #expect(sound[0].count == 130)
    #expect(Array(sound[0][..<60]) == Array(repeating: 0, count: 10) + Array(0..<50))
    #expect(sound[0][109] == Int((99.0 / 51).rounded()))
    #expect(sound[0][110...].allSatisfy { $0 == 0 })
  }

  @Test func `silence of the input is left out`() throws {
    let noise = noise(400).flatMap { [$0] }
    let silence = [Float](repeating: 0, count: 1500)
    let path = try folder.writeSound(
      "pauses.wav", silence + noise + silence + noise + silence, rate: 1000)
    for (place, frames) in [
      (SilenceCut.Part.start, 3900), (.end, 3900), (.ends, 2500),
      (.inside, 4000),
      (.all, 1200),
    ] {
      var request = RenderRequest(inputs: ["main": path], outputs: ["main": folder.file("o.wav")])
      request.mainInput.cut = SilenceCut(place)
      let summary = try Chain.empty.render(request)
      #expect(abs(summary.frames - frames) < 10, "\(place): \(summary.frames)")
    }
  }

  @Test(arguments: [Chain.empty, list(#"{ "unit": "gain" }, { "sink": "main" }"#)])
  func `the output is brought to a loudness`(_ chain: Chain) throws {
    let tone = (0..<96000).map { Float($0 % 96 < 48 ? 0.02 : -0.02) }
    var request = RenderRequest(
      inputs: ["main": try folder.writeSound("t.wav", tone, rate: 48000)],
      outputs: ["main": folder.file("o.wav")])
    request.loudness = -20
    let summary = try chain.render(request)
    let gain = summary.readings.first { $0.name == "loudness.gain" }
    #expect(gain != nil && summary.outputs[0].peak > 0.04)
  }

  @Test func `a duration beyond the end of the sound is reported`() throws {
    var request = RenderRequest(input: try ramp(3000), output: folder.file("o.wav"))
    for (duration, warnings) in [(2.0, 0), (3, 0), (3.5, 1)] {
      request.duration = duration
      let found = try Chain.empty.render(request).warnings
      #expect(found.count == warnings, "\(found)")
      #expect(found.allSatisfy { $0.contains("--duration 3.5 is beyond the end of the sound") })
    }
    request.start = 1
    request.duration = 2.5
    #expect(
      try Chain.empty.render(request).warnings == [
        "--duration 2.5 is beyond the end of the sound: it is over after 2 s"
      ])
  }

  @Test(arguments: SilenceCut.Part.allCases)
  func `a cut of silence that finds none is reported`(
    _ cut: SilenceCut.Part
  ) throws {
    let path = try folder.writeSound("n.wav", noise(2000), rate: 1000)
    var request = RenderRequest(input: path, output: folder.file("o.wav"))
    request.mainInput.cut = SilenceCut(cut)
    let found = try Chain.empty.render(request).warnings
    #expect(found.count == 1 && found.first?.contains("no silence was cut") == true, "\(found)")
  }

  @Test func `a graph without a main output cannot be brought to a loudness`() {
    let chain = Chain(
      json: """
        { "version": 1, "nodes": { "in": { "source": { "signal": "tone", "duration": "1 s" } },
          "out": { "sink": "null" } }, "connections": ["in -> out"] }
        """)
    var request = RenderRequest()
    request.loudness = -16
    #expect(failure { _ = try chain.render(request) }?.message.contains("no main output") == true)
  }

  @Test func `a render is divided at its chapters, and the summary lists the parts`() throws {
    var request = RenderRequest(input: try ramp(3000), output: folder.file("{n} {title}.flac"))
    request.encoding.split = .chapters
    request.chapters = [.init("One", start: 0), .init("Two", start: 1.25)]
    let summary = try Chain.empty.render(request)
    let parts = summary.outputs[0].parts
    #expect(parts.map(\.name) == ["001 One", "002 Two"].map { folder.file("\($0).flac") })
    #expect(parts.map(\.startFrame) == [0, 1250] && parts.map(\.frames) == [1250, 1750])
    request.chapters = []
    #expect(
      failure { _ = try Chain.empty.render(request) }?.message.contains("no chapters") == true)
  }

  /// A sound of six seconds with chapters at 0 and 5 s.
  private func chaptered() throws -> String {
    var request = RenderRequest(input: try ramp(6000), output: folder.file("two.flac"))
    request.chapters = [.init("One", start: 0), .init("Two", start: 5)]
    _ = try Chain.empty.render(request)
    return folder.file("two.flac")
  }

  /// The chapter starts of a file that is rendered from a file with two chapters.
  private func chapterStarts(
    _ chain: Chain = .empty, _ change: (inout RenderRequest) -> Void
  ) throws -> [Double] {
    var request = RenderRequest(input: try chaptered(), output: folder.file("out.flac"))
    change(&request)
    _ = try chain.render(request)
    return try SoundInfo(path: folder.file("out.flac")).tags.chapters.map(\.start)
  }

  @Test func `chapters of the input move along with the start and the padding`() throws {
    #expect(try chapterStarts { _ in } == [0, 5])
    #expect(try chapterStarts { $0.encoding.shape.padStart = 2 } == [0, 7])
    #expect(try chapterStarts { ($0.start, $0.encoding.shape.padStart) = (1, 2) } == [0, 6])
    #expect(try chapterStarts { $0.duration = 4 } == [0])
    #expect(try chapterStarts { $0.mainInput.playCount = 2 } == [])
    let own = try chapterStarts {
      $0.chapters = [.init("Mine", start: 5)]
      $0.encoding.shape.padStart = 2
    }
    #expect(own == [5])
  }

  @Test(arguments: [
    (#""speed": 2"#, [0, 2.5]), (#""at": "3 s""#, [3, 8]), (#""start": "1 s""#, [0, 4]),
    (#""start": "1 s", "speed": 0.5, "at": "1 s""#, [1, 9]), (#""duration": "4 s""#, [0]),
    (#""reverse": true"#, []), (#""loop": 2"#, []), (#""cutSilence": "end""#, []),
  ])
  func `chapters of the input move along with its place in the chain`(
    _ keys: String, _ starts: [Double]
  ) throws {
    let chain = list(#"{ "source": { "input": "main", \#(keys) } }, { "sink": "main" }"#)
    #expect(try chapterStarts(chain) { _ in } == starts)
  }

  @Test func `a padded render is divided where its chapters begin`() throws {
    var request = RenderRequest(input: try chaptered(), output: folder.file("{n}.flac"))
    request.encoding.split = .chapters
    request.encoding.shape.padStart = 2
    let parts = try Chain.empty.render(request).outputs[0].parts
    #expect(parts.map(\.startFrame) == [0, 7000])
  }

  @Test func `a render without chapters reports the setting that removed them`() throws {
    var request = RenderRequest(input: try chaptered(), output: folder.file("{n}.flac"))
    request.encoding.split = .chapters
    request.mainInput.cut = SilenceCut(.ends)
    let cut = failure { _ = try Chain.empty.render(request) }
    #expect(cut?.message.contains("--cut-silence leaves the chapters of the input out") == true)
    request.inputs["main"] = try ramp(3000)
    let none = failure { _ = try Chain.empty.render(request) }
    #expect(none?.message.contains("has no chapters") == true)
  }

  @Test func `a part never overwrites the input`() throws {
    var request = RenderRequest(input: try ramp(3000), output: folder.file("in.wav"))
    request.encoding.split = .every(seconds: 1)
    _ = try Chain.empty.render(request)
    #expect(folder.names == ["in-001.wav", "in-002.wav", "in-003.wav", "in.wav"])
    request.inputs["main"] = folder.file("in-001.wav")
    #expect(failure { _ = try Chain.empty.render(request) }?.message.contains("is read") == true)
  }

  @Test func `edits and encodings out of range are refused`() throws {
    for change: (inout RenderRequest) -> Void in [
      { $0.mainInput.playCount = 0 }, { $0.mainInput.channels = [0] }, { $0.loudness = 3 },
      { $0.encoding.shape.fadeIn = -1 }, { $0.encoding.shape.padEnd = .nan },
      { $0.encoding.split = .every(seconds: 0) },
      { $0.encoding.split = .times([2, 1]) }, { $0.encoding.split = .size(bytes: 5) },
      { $0.mainInput.cut = SilenceCut(.all, SilenceRule(level: 1)) },
      { $0.mainInput.cut = SilenceCut(.all, SilenceRule(time: 0)) },
      { $0.mainInput.cut = SilenceCut(.all, SilenceRule(keep: 31)) },
      { $0.mainInput.cut = SilenceCut(.all, fade: 2) },
    ] {
      var request = RenderRequest(input: "nothing.wav", output: "out.wav")
      change(&request)
      #expect(failure { _ = try Chain.empty.render(request) }?.code == "out-of-range")
    }
  }
}
