@testable import FxPlaying
import Testing

struct ServiceWatchTests {
  /// 480 frames at 48 kHz and a period of 240: 15 ms.
  private static func served(at time: Double) -> ServiceWatch {
    var service = ServiceWatch()
    service.serve(at: time, reserve: 480, period: 240, sampleRate: 48000)
    return service
  }

  @Test func `an end that is served within its buffer and a period is in time`() {
    #expect(Self.served(at: 100).lateness(at: 100.0149) <= 0)
  }

  @Test func `an end that is served later is late by the excess`() {
    #expect(abs(Self.served(at: 100).lateness(at: 100.5) - 0.485) < 1e-9)
  }

  @Test func `an end that does not run is never late`() {
    #expect(ServiceWatch().lateness(at: 100) == 0)
    var service = Self.served(at: 100)
    service.reset()
    #expect(service.lateness(at: 200) == 0)
  }

  @Test
  func `gaps of one cause are one event with the longest time, and other events stay separate`() {
    let gap = DeviceEvent.gap(.playback, .system, milliseconds: 20)
    #expect(
      gap.merged(with: .gap(.playback, .system, milliseconds: 35))
        == .gap(.playback, .system, milliseconds: 35))
    #expect(gap.merged(with: .gap(.playback, .system, milliseconds: 5)) == gap)
    #expect(gap.merged(with: .gap(.capture, .system, milliseconds: 20)) == nil)
    #expect(gap.merged(with: .gap(.playback, .chainChange, milliseconds: 20)) == nil)
    let xrun = DeviceEvent.xrun(.playback, .slowChain)
    #expect(xrun.merged(with: xrun) == xrun)
    #expect(xrun.merged(with: .xrun(.playback, .system)) == nil)
    #expect(xrun.merged(with: gap) == nil)
  }
}
