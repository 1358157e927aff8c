import ArgumentParser
import FxKit

/// A loop of the input on the command line: `0:10-0:20`, `10-`, or `all`.
struct LoopArgument: ExpressibleByArgument, CustomStringConvertible {
  static let all = LoopArgument(loop: LiveLoop(), description: "all")

  let loop: LiveLoop
  let description: String

  private init(loop: LiveLoop, description: String) {
    self.loop = loop
    self.description = description
  }

  init?(argument: String) {
    guard argument != "all" else {
      self = .all
      return
    }
    guard let dash = argument.firstIndex(of: "-"),
      let from = TimeArgument(argument: String(argument[..<dash]))
    else { return nil }
    let end = argument[argument.index(after: dash)...]
    var to: LivePlace?
    if !end.isEmpty {
      guard let time = TimeArgument(argument: String(end)) else { return nil }
      to = .seconds(time.seconds)
    }
    loop = LiveLoop(from: .seconds(from.seconds), to: to)
    description = argument
  }
}

/// A level on the command line: `-6`, `-6dB`, `-6 dB`.
struct DecibelArgument: ExpressibleByArgument {
  let decibels: Double

  init?(argument: String) {
    var text = argument.filter { $0 != " " }
    if text.lowercased().hasSuffix("db") { text.removeLast(2) }
    guard let value = Double(text), value.isFinite else { return nil }
    decibels = value
  }
}
