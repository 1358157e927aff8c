import ArgumentParser
import FxAudio

/// A time on the command line: `90`, `1.5`, `20ms`, `1:30`, `1:02:03.5`.
struct TimeArgument: ExpressibleByArgument {
  let seconds: Double

  init?(argument: String) {
    guard let seconds = ClockText.seconds(argument) else { return nil }
    self.seconds = seconds
  }
}
