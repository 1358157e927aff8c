import Foundation
@testable import FxKit
import Synchronization
import Testing

/// Requests to a chain while it plays, on ALSA's null device.
struct LiveControlTests {
  private static let chain = Chain(
    json: #"""
      { "version": 1, "chain": [
        { "source": "null" },
        { "id": "fader", "unit": "gain", "parameters": { "gain": "-3 dB" } },
        { "sink": { "alsa": "null" } } ] }
      """#)

  @Test func `a parameter is set, read and refused while the chain plays`() throws {
    let summary = try playing(Self.chain) { control in
      #expect(try control.ask(.get(parameter: "fader.gain")) == .value(-3))
      #expect(try control.ask(.set(parameter: "fader.gain", to: "-12 dB")) == .done)
      #expect(try control.ask(.get(parameter: "fader.gain")) == .value(-12))
      try control.ask(.set(parameter: "fader.gain", to: -6.0, seconds: 0.5))
      #expect(try control.ask(.get(parameter: "fader.gain")) == .value(-6))
      try control.ask(.set(parameter: "fader.bypass", to: "true"))
      let unknown = failure { try control.ask(.set(parameter: "fader.gian", to: 0.0)) }
      #expect(unknown?.code == "unknown-parameter")
      #expect(unknown?.message.contains("did you mean 'gain'") == true)
      #expect(failure { try control.ask(.set(parameter: "fader.gain", to: "99 dB")) } != nil)
      #expect(
        failure { try control.ask(.set(parameter: "fader.gain", to: 0.0, seconds: -1)) }?.kind
          == .request)
      try control.ask(.stop)
    }
    #expect(summary.wasStopped)
  }

  @Test func `a question in a closure of play is refused, and the performance goes on`() throws {
    let control = LiveControl()
    let refused = Mutex<ChainFailure?>(nil)
    let stop = StopSignal()
    let summary = try Self.chain.play(
      RenderRequest(), stop: stop, control: control,
      progress: { _ in
        guard refused.withLock({ $0 }) == nil else { return control.post(.stop) }
        let found = failure { try control.ask(.get(parameter: "fader.gain")) }
        refused.withLock { $0 = found }
      })
    #expect(summary.wasStopped)
    let found = try #require(refused.withLock { $0 })
    #expect(found.kind == .request)
    #expect(found.message.hasPrefix("the thread that plays cannot wait for its own answer"))
  }

  @Test func `a chain from a text has no file to read again`() throws {
    _ = try playing(Self.chain) { control in
      let found = failure { try control.ask(.load()) }
      #expect(found?.code == "unreadable")
      #expect(found?.message.contains("made from a text") == true)
      let value = try control.ask(.get(parameter: "fader.gain"))
      #expect(value == .value(-3))
    }
  }

  @Test func `a depth is set while the chain plays`() throws {
    let chain = Chain(
      json: #"""
        { "version": 1, "chain": [
          { "source": "null" }, { "unit": "lfo" }, { "id": "fader", "unit": "gain" },
          { "sink": { "alsa": "null" } } ],
          "modulation": [{ "from": "lfo", "to": "fader.gain", "depth": "6 dB" }] }
        """#)
    _ = try playing(chain) { control in
      #expect(try control.ask(.get(parameter: "fader.gain.lfo")) == .value(6))
      #expect(
        try control.ask(.set(parameter: "fader.gain.lfo", to: "-12 dB", seconds: 0.1)) == .done)
      #expect(try control.ask(.get(parameter: "fader.gain.lfo")) == .value(-12))
      guard case .parameters(let list, _) = try control.ask(.parameters) else {
        Issue.record("no list")
        return
      }
      #expect(list.contains { $0.name == "fader.gain.lfo" && $0.unit == "dB" })
      try control.ask(.stop)
    }
  }

  private static let sampler = "http://lv2plug.in/plugins/eg-sampler"

  @Test(.enabled(if: InstalledPlugins.shared.contains(sampler), "lv2-examples is not installed"))
  func `a plugin is asked for a property`() throws {
    let chain = Chain(
      json: #"""
        { "version": 1, "chain": [
          { "id": "sampler", "lv2": "\#(Self.sampler)" }, { "sink": { "alsa": "null" } } ] }
        """#)
    _ = try playing(chain) { control in
      for _ in 0..<3 {
        guard case .property(let property) = try control.ask(.get(parameter: "sampler.sample"))
        else {
          Issue.record("no property")
          break
        }
        #expect(property.name == "sampler.sample")
        guard case .text(let path) = property.value else {
          Issue.record("no text")
          break
        }
        #expect(path.hasSuffix("click.wav"))
      }
      #expect(
        failure { try control.ask(.get(parameter: "sampler.simple")) }?.code == "unknown-parameter")
      try control.ask(.stop)
    }
  }

  @Test func `a chain that has ended refuses requests`() throws {
    let control = LiveControl()
    _ = failure {
      _ = try list(#"{ "unit": "gain" }"#).play(
        RenderRequest(input: "no.wav", output: "no.wav"), control: control)
    }
    #expect(failure { try control.ask(.stop) }?.code == "not-playing")
  }
}

/// Plays on its own thread while `body` sends requests.
func playing(
  _ chain: Chain, _ request: RenderRequest = RenderRequest(),
  _ body: (LiveControl) throws -> Void
) throws -> RenderSummary {
  let control = LiveControl()
  let played = Played()
  Thread.detachNewThread {
    played.end(with: Result { try chain.play(request, control: control) })
  }
  do {
    try body(control)
  } catch {
    control.post(.stop)
    throw error
  }
  control.post(.stop)
  return try #require(played.wait()).get()
}

/// The outcome of a performance on another thread.
final class Played: Sendable {
  private let outcome = Mutex<Result<RenderSummary, any Error>?>(nil)
  private let ended = DispatchSemaphore(value: 0)

  func end(with result: Result<RenderSummary, any Error>) {
    outcome.withLock { $0 = result }
    ended.signal()
  }

  /// Returns nil if the performance does not end within 30 s.
  func wait() -> Result<RenderSummary, any Error>? {
    _ = ended.wait(timeout: .now() + 30)
    return outcome.withLock { $0 }
  }
}
