/// Limits xruns and gaps of one device to one report of each kind a second; other events pass at
/// once, after those that wait.
struct DeviceEventLimiter {
  private var waiting: [(event: DeviceEvent, count: Int)] = []
  private var reportedAt = -Double.infinity

  /// Takes one event.
  mutating func take(_ event: DeviceEvent, _ report: (DeviceEvent, Int) -> Void) {
    guard event.isRepeatable else {
      flush(report)
      report(event, 1)
      return
    }
    for index in waiting.indices {
      if let both = waiting[index].event.merged(with: event) {
        waiting[index] = (both, waiting[index].count + 1)
        return
      }
    }
    waiting.append((event, 1))
  }

  /// Reports the waiting events if the last report is a second old.
  mutating func look(at now: Double, _ report: (DeviceEvent, Int) -> Void) {
    guard !waiting.isEmpty, now - reportedAt >= 1 else { return }
    reportedAt = now
    flush(report)
  }

  /// Reports all waiting events.
  mutating func flush(_ report: (DeviceEvent, Int) -> Void) {
    for (event, count) in waiting { report(event, count) }
    waiting = []
  }
}

extension DeviceEvent {
  /// True for events that may come many times a second.
  fileprivate var isRepeatable: Bool {
    switch self {
    case .xrun, .gap: true
    default: false
    }
  }
}
