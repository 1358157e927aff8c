import Foundation
import FxAudio
import FxChain
import FxEngine
@testable import FxKit
import FxPlaying
import FxTestSupport
import Testing

/// Each stage of a job, from a value to a value: request, settings, chain that is read, sources,
/// outline, compiled chain, program.
@Suite struct JobStageTests {
  private static let gain = list(
    #"{ "id": "level", "unit": "gain", "parameters": { "gain": "-6 dB" } }"#)

  private func log(blockSize: Int = 64, startFrame: Int = 4410) throws -> LiveLog {
    let header = LiveLog.Header(
      program: "test", chain: "chain.json", hash: "", sampleRate: 44100, blockSize: blockSize,
      startFrame: startFrame)
    return LiveLog(path: "log", header: header, entries: [], endFrame: nil)
  }

  // MARK: Request

  @Test func `a request takes block size and start from its log`() throws {
    var request = RenderRequest(input: "in.wav", output: "out.wav")
    request.replay = try log()
    let prepared = try request.prepared()
    #expect(prepared.blockSize == 64 && prepared.start == 0.1)
    request.blockSize = 65
    #expect(failure { _ = try request.prepared() }?.code == "other-replay")
  }

  @Test func `a repeated input plays the requested piece`() throws {
    var request = RenderRequest()
    (request.start, request.duration, request.mainInput.playCount) = (2, 3, 2)
    let prepared = try request.prepared()
    #expect(prepared.start == 0 && prepared.duration == nil)
    #expect(prepared.inputEdit.start == 2 && prepared.inputEdit.duration == 3)
    request.blockSize = 0
    #expect(failure { _ = try request.prepared() }?.code == "out-of-range")
  }

  // MARK: Settings

  @Test func `a check takes the values of a request, not its outputs and times`() {
    var request = RenderRequest(input: "in.wav", output: "out.wav")
    request.settings = [RenderRequest.Setting("level.gain", "1 dB")]
    (request.scene, request.bypassed, request.memoryLimit) = ("loud", ["level"], 1 << 20)
    (request.blockSize, request.loudness, request.taps) = (
      64, -23, [RenderRequest.Tap("level", "t.wav")]
    )
    let check = CompiledChain.Settings.check(request, sampleRate: 96000, channels: 3)
    #expect(check.environment.overrides == request.settings)
    #expect(check.environment.scene == "loud" && check.environment.bypassed == ["level"])
    #expect(check.memoryLimit == 1 << 20 && check.threads == 1)
    #expect(check.environment.inputs == nil && check.environment.taps.isEmpty)
    #expect(check.blockSize == nil && check.environment.loudness == nil)
    let assumed = check.environment.sourceFacts(.input("main"))
    #expect(assumed?.format == StreamFormat(sampleRate: 96000, channelCount: 3))
    #expect(assumed?.ending == .assumed)
  }

  @Test func `a render takes all of its request`() {
    var request = RenderRequest(input: "in.wav", output: "out.wav")
    (request.blockSize, request.loudness, request.threads) = (64, -23, 3)
    (request.taps, request.copies) = ([RenderRequest.Tap("level", "t.wav")], ["b.wav"])
    request.encoding.split = .chapters
    request.nodeCosts = ["level": 4]
    let settings = CompiledChain.Settings(request, OpeningLimits(seconds: 3))
    #expect(settings.environment.inputs == ["main"] && settings.environment.taps == request.taps)
    #expect(settings.environment.copies.map(\.encoding.split) == [.chapters])
    #expect(settings.environment.tapEncoding.split == nil)
    #expect(settings.environment.limits.seconds == 3 && settings.environment.loudness == -23)
    #expect(settings.blockSize == 64 && settings.threads == 3 && settings.areThreadsRequested)
    #expect(settings.nodeCosts == ["level": 4] && !settings.environment.keepsDry)
  }

  @Test func `blocks are joined in a plain render only`() {
    let plain = CompiledChain.Settings(RenderRequest(), OpeningLimits())
    let read = plain.reading(RenderRequest(), usesDevice: false, plays: false)
    #expect(read.joinsBlocks && !read.environment.keepsDry)
    let live = plain.reading(RenderRequest(), usesDevice: true, plays: true)
    #expect(!live.joinsBlocks && live.environment.keepsDry && live.environment.recordsUnboundInput)
    var sized = RenderRequest()
    sized.blockSize = 64
    #expect(
      !CompiledChain.Settings(sized, OpeningLimits())
        .reading(sized, usesDevice: false, plays: false).joinsBlocks)
  }

  // MARK: Chain and sources

  @Test func `a chain that is read knows its files and opens none of its sources`() throws {
    let folder = TemporaryFolder()
    try #"{ "version": 1, "chain": [ { "unit": "gain" } ] }"#
      .write(toFile: folder.file("inner.json"), atomically: true, encoding: .utf8)
    let chain = Chain(
      json: #"{ "version": 1, "chain": [ { "use": "inner.json" } ] }"#,
      path: folder.file("chain.json"))
    let read = ReadChain(chain, RenderRequest(input: "missing.wav", output: folder.file("out.wav")))
    #expect(read.files.texts.paths == [folder.file("inner.json")])
    #expect(read.builder.sources == [.input("main")] && read.builder.graphCount == 0)
    #expect(failure { _ = try read.opened() }?.kind == .input)
  }

  @Test func `a mistake of the chain comes before a missing source`() {
    let request = RenderRequest(input: "missing.wav", output: "out.wav")
    let read = ReadChain(list(#"{ "unit": "gian" }"#), request)
    #expect(failure { _ = try read.opened() }?.kind == .chain)
  }

  // MARK: Outline, compiled chain, program

  @Test func `an outline has the widths of its sources, and no units`() throws {
    let folder = TemporaryFolder()
    let input = try folder.writeSound("in.wav", noise(100), rate: 22050)
    let read = ReadChain(Self.gain, RenderRequest(input: input, output: folder.file("out.wav")))
    let outline = try read.outline(read.opened())
    #expect(outline.sampleRate == 22050 && outline.plan.sources.map { $0.buffers.count } == [1])
    #expect(outline.plan.steps.isEmpty && outline.memory == nil)
    #expect(outline.instances.allSatisfy { $0 == nil })
  }

  @Test func `an outline is compiled with or without its units`() throws {
    let outline = try Self.gain.outline(.check(channels: 2))
    let plan = try outline.completed(makesUnits: false)
    #expect(plan.instances.allSatisfy { $0 == nil } && !plan.plan.steps.isEmpty)
    let compiled = try outline.completed()
    #expect(compiled.instances.compactMap { $0 }.count == 1)
    #expect(compiled.plan == plan.plan && compiled.memory?.total == plan.memory?.total)
  }

  @Test func `a compiled chain becomes a program`() throws {
    let compiled = try Self.gain.compiled(
      .blocks(sampleRate: 48000, channels: 1, blockSize: 16))
    let program = compiled.program(isInteractive: true)
    program.sourceBuffer(0, channel: 0)[0] = 1
    program.renderer.render(frameCount: 16)
    #expect(abs(program.sinkBuffer(0, channel: 0)[0] - 0.501) < 0.001)
  }

  @Test func `a job for another compilation keeps the rest`() throws {
    let folder = TemporaryFolder()
    let input = try folder.writeSound("in.wav", noise(100))
    let job = try RenderJob(Self.gain, RenderRequest(input: input, output: folder.file("out.wav")))
    let other = job.with(try Self.gain.compiled(.check(channels: 5)))
    #expect(other.compiled.plan.sinks[0].buffers.count == 5)
    #expect(other.sources === job.sources && other.mainSource == job.mainSource)
    #expect(job.compiled.plan.sinks[0].buffers.count == 1)
  }
}
