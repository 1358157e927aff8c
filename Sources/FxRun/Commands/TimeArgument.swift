import ArgumentParser

/// A time on the command line: `90`, `1.5`, `20ms`, `1:30`, `1:02:03.5`.
struct TimeArgument: ExpressibleByArgument {
  let seconds: Double

  init?(argument: String) {
    let text = argument.filter { $0 != " " }
    if text.hasSuffix("ms"), let value = Double(text.dropLast(2)) {
      seconds = value / 1000
    } else if text.hasSuffix("s"), let value = Double(text.dropLast()) {
      seconds = value
    } else {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
      guard parts.count <= 3 else { return nil }
      var total = 0.0
      for part in parts {
        guard let part, part >= 0 else { return nil }
        total = total * 60 + part
      }
      seconds = total
    }
    guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return nil }
  }
}
