import Foundation
@testable import FxKit
import FxTestSupport
import Testing

/// Requests for the tempo of a performance.
struct LiveTempoTests {
  private static func chain(_ tempo: String) -> String {
    #"""
    { "version": 1, \#(tempo) "chain": [
      { "unit": "delay", "parameters": { "time": "1/2" } }, { "sink": { "alsa": "null" } } ] }
    """#
  }

  private func playing(_ tempo: String, _ body: (LiveControl) throws -> Void) throws {
    let folder = TemporaryFolder()
    var request = RenderRequest()
    request.inputs["main"] = try folder.writeSound("in.wav", noise(44100))
    request.loop = LiveLoop()
    _ = try FxKitTests.playing(Chain(json: Self.chain(tempo)), request, body)
  }

  private func transport(_ answer: LiveAnswer) throws -> LiveTransport {
    guard case .transport(let transport) = answer else { throw CancellationError() }
    return transport
  }

  /// Polls until the render thread has made the change.
  private func wait(
    _ control: LiveControl, for isRight: (LiveTransport) -> Bool
  ) throws -> LiveTransport {
    for _ in 0..<3000 {
      let now = try transport(control.ask(.transport))
      if isRight(now) { return now }
      usleep(10_000)
    }
    return try transport(control.ask(.transport))
  }

  @Test func `a tempo is set, values in beats follow it, and a pause stops the beat`() throws {
    try playing(#""tempo": 120, "metre": "3/4","#) { (control: LiveControl) throws in
      let begun = try wait(control) { $0.tempo == 120 }
      #expect(begun.tempo == 120 && begun.metre == "3/4" && begun.isRolling == true)
      #expect((begun.bar ?? 0) >= 1 && (1..<4).contains(begun.beat ?? 0))
      try control.ask(.tempo(60))
      #expect(try control.ask(.get(parameter: "delay.time")) == .value(0.5))
      #expect(try wait(control) { $0.tempo == 60 }.tempo == 60)
      try control.ask(.pause)
      let paused = try wait(control) { $0.isRolling == false }
      #expect(paused.isRolling == false)
      usleep(100_000)
      #expect(try transport(control.ask(.transport)).beat == paused.beat)
      try control.ask(.resume)
      #expect(try wait(control) { $0.isRolling == true }.isRolling == true)
      let slow = failure { try control.ask(.tempo(0.5)) }
      #expect(slow?.code == "out-of-range")
    }
  }

  @Test func `taps set the tempo`() throws {
    try playing("\"tempo\": 90,") { (control: LiveControl) throws in
      try control.ask(.tap)
      usleep(250_000)
      try control.ask(.tap)
      let tapped = try wait(control) { $0.tempo != 90 }
      #expect((100..<245).contains(tapped.tempo ?? 0))
    }
  }

  @Test func `a pedal taps the tempo`() throws {
    try playing("\"tempo\": 90, \"midi\": [ { \"cc\": 81, \"tap\": true } ],") {
      (control: LiveControl) throws in
      for (value, pause) in [(127, 100_000), (0, 150_000), (127, 0)] as [(UInt8, UInt32)] {
        try control.ask(.midi([0xb0, 81, value]))
        usleep(pause)
      }
      let tapped = try wait(control) { $0.tempo != 90 }
      #expect((100..<245).contains(tapped.tempo ?? 0))
    }
  }

  @Test func `a MIDI clock sets the tempo if the chain follows it`() throws {
    for follows in [true, false] {
      try playing("\"tempo\": 90, \"midi\": { \"map\": [], \"clock\": \(follows) },") {
        (control: LiveControl) throws in
        var pulse = 0
        let now = try wait(control) { now in
          // A clock keeps sending, so a tempo that comes too early is sent again.
          for _ in 0..<30 {
            let seconds = Double(pulse) * 60 / 150 / 24
            if let message = MIDIClockMessage(status: 0xf8, 0, 0, at: seconds) {
              control.receive(message)
            }
            pulse += 1
          }
          return follows ? abs((now.tempo ?? 0) - 150) < 0.01 : pulse > 300
        }
        #expect(abs((now.tempo ?? 0) - (follows ? 150 : 90)) < 0.01)
      }
    }
  }

  @Test func `a tapped tempo is the mean of the last eight intervals`() {
    var taps = TapTempo()
    #expect(taps.tap(at: 10) == nil)
    #expect(taps.tap(at: 10.5) == 120)
    #expect(taps.tap(at: 11.5) == 80)
    // After a pause the next tap counts as the first.
    #expect(taps.tap(at: 20) == nil && taps.tap(at: 21) == 60)
    for beat in 1...20 { _ = taps.tap(at: 21 + Double(beat) * 0.25) }
    #expect(taps.tap(at: 26.25) == 240)
  }
}
