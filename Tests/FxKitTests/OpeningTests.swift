import Foundation
@testable import FxKit
import FxTestSupport
import Glibc
import Testing

/// Opening of sources: it can be stopped, and it ends after a time limit.
@Suite struct OpeningTests {
  private let folder: TemporaryFolder
  private let pipe: String
  private let chain = list(#"{ "unit": "gain" }"#)

  init() throws {
    folder = TemporaryFolder()
    pipe = folder.file("pipe.wav")
    #expect(mkfifo(pipe, 0o600) == 0)
  }

  private func request(seconds: Double) -> RenderRequest {
    var request = RenderRequest(inputs: ["main": pipe], outputs: ["main": folder.file("out.wav")])
    request.openingSeconds = seconds
    return request
  }

  @Test func `a pipe without a writer does not block fxrun`() throws {
    let start = ContinuousClock.now
    let error = failure { _ = try chain.render(request(seconds: 1)) }
    #expect(ContinuousClock.now - start < .seconds(5))
    #expect(error?.kind == .input)
    #expect(error?.code == "timeout")
    #expect(
      error?.description
        == "\(pipe): this is a pipe, and for 1 s nothing has opened it for writing; start the "
        + "program that writes it first")
    #expect(folder.names == ["pipe.wav"])
  }

  /// Runs on its own thread, because the tested code blocks the threads of the tests.
  private func after(_ seconds: Double, _ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: seconds)
      body()
    }
  }

  @Test func `opening ends at once when it is stopped`() throws {
    let stop = StopSignal()
    let start = ContinuousClock.now
    after(0.2) { stop.stop() }
    let error = failure { _ = try chain.render(request(seconds: 60), stop: stop) }
    #expect(ContinuousClock.now - start < .seconds(10))
    #expect(error?.code == "interrupted")
    #expect(folder.names == ["pipe.wav"])
  }

  @Test func `fxrun waits for a pipe that a program has opened, however long it is silent`()
    throws
  {
    let source = TemporaryFolder()
    let bytes = try Data(contentsOf: URL(filePath: source.writeSound("in.wav", noise(1000))))
    let descriptor = open(pipe, O_RDWR)
    #expect(descriptor >= 0)
    after(4) {
      bytes.withUnsafeBytes { _ = write(descriptor, $0.baseAddress, $0.count) }
      close(descriptor)
    }
    #expect(try chain.render(request(seconds: 2)).frames == 1000)
  }

  @Test func `waiting for a silent pipe ends when it is stopped`() throws {
    let descriptor = open(pipe, O_RDWR)
    defer { close(descriptor) }
    let stop = StopSignal()
    after(4) { stop.stop() }
    let error = failure { _ = try chain.render(request(seconds: 2), stop: stop) }
    #expect(error?.code == "interrupted")
    #expect(folder.names == ["pipe.wav"])
  }
}
