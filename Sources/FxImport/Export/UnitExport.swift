import FxAudio
import FxChain
import FxEngine

/// The steps of one unit.
///
/// It knows which settings were read: a unit with others does something else than its steps.
final class UnitExport {
  private let unit: UnitConfiguration
  private let spec: UnitSpec?
  private let source: SourceValue
  /// Channels of the signal at the unit.
  private let width: Int
  private let sampleRate: Double
  /// The names of settings that were read.
  private var read: Set<String> = ["wet", "bypass"]

  init(
    _ unit: UnitConfiguration, _ spec: UnitSpec?, _ source: SourceValue, width: Int,
    sampleRate: Double
  ) {
    (self.unit, self.spec, self.source) = (unit, spec, source)
    (self.width, self.sampleRate) = (width, sampleRate)
  }

  /// Empty for a unit that is refused or does nothing.
  func steps() -> [(step: ExportStep, channels: [Int]?)] {
    guard case .builtIn(let name, _) = unit.kind else {
      return refuse("a plugin")
    }
    guard number("bypass") == 0 else {
      source.turn(.translated("left out: it is bypassed"))
      return []
    }
    let made = steps(of: name)
    guard made.isEmpty || number("wet") == 1 else { return refuse("a share of the dry signal") }
    if !made.isEmpty, let lost = unread.first {
      guard made.contains(where: { $0.step.isDynamic }) else {
        return refuse("no other program has its '\(lost)'")
      }
      source.turn(
        .approximated(
          "\(source.outcome?.text ?? "similar"); without \(unread.map { "'\($0)'" }.joined(separator: ", "))"
        ))
    }
    if !unit.automation.isEmpty || !unit.modulations.isEmpty {
      source.turn(.approximated("its values at the beginning: they move in the chain"))
    }
    return made
  }

  private func steps(of name: String) -> [(step: ExportStep, channels: [Int]?)] {
    switch name {
    case "gain":
      return [
        (.gain(number("gain"), isInverted: number("invert") != 0), nil)
      ]
    case "highPass", "lowPass", "bandPass", "notch", "allPass", "peak", "lowShelf", "highShelf":
      guard let kind = ExportFilter.Kind(rawValue: name) else { return [] }
      let filter = ExportFilter(
        kind: kind, frequency: number("frequency"), q: number("q"),
        order: Int(option("order") ?? 2),
        gain: number("gain"))
      return [(.filter(filter), nil)]
    case "equalizer": return equalizer()
    case "biquad": return sections()
    case "align": return align()
    case "matrix": return matrix()
    case "convolver": return convolver()
    case "compressor": return compressor()
    case "limiter":
      source.turn(.approximated("the same ceiling; other curves"))
      return [
        (
          .limiter(
            ceiling: number("ceiling"), release: number("release"), lookahead: number("lookahead")),
          nil
        )
      ]
    case "meter", "spectrum", "tuner":
      source.turn(.translated("left out: it does not change the sound"))
      return []
    default: return refuse("no other program has the unit '\(name)'")
    }
  }

  // MARK: Values

  private func refuse(_ reason: String) -> [(step: ExportStep, channels: [Int]?)] {
    source.turn(.notPossible(reason))
    return []
  }

  /// Settings that nobody has read and that are not the default.
  private var unread: [String] {
    let parameters = unit.parameters.indices.compactMap { slot -> String? in
      let parameter = unit.parameters[slot]
      // The depths of modulations follow the unit's own parameters.
      guard parameter.item == nil,
        let own = spec?.parameters.first(where: { $0.id == parameter.path }),
        unit.values[slot] != own.defaultValue
      else { return nil }
      return parameter.path
    }
    let options = (spec?.options ?? []).compactMap { option -> String? in
      guard let given = unit.options[option.key], given != option.defaultValue else { return nil }
      return option.key
    }
    return (parameters + options).filter { !read.contains($0) }.sorted()
  }

  /// The value of a parameter, of an element with a number from 0; 0 where there is none.
  private func number(_ name: String, item: Int? = nil) -> Double {
    read.insert(name)
    let slot = unit.parameters.firstIndex { slot in
      slot.item == item
        && (item == nil ? slot.path == name : slot.path.hasSuffix(".\(name)"))
    }
    return slot.map { unit.values[$0] } ?? 0
  }

  private func option(_ name: String, of item: Int? = nil) -> Double? {
    read.insert(name)
    let options = item.map { unit.items[$0].options } ?? unit.options
    if case .number(let number)? = options[name] { return number }
    return nil
  }

  private func text(_ name: String, of item: Int? = nil) -> String? {
    read.insert(name)
    let options = item.map { unit.items[$0].options } ?? unit.options
    if case .text(let text)? = options[name] { return text }
    return nil
  }

  // MARK: Units

  private func equalizer() -> [(step: ExportStep, channels: [Int]?)] {
    var steps: [(step: ExportStep, channels: [Int]?)] = []
    if text("response") == "analog" {
      source.turn(
        .approximated("with the usual digital bands, which are squeezed towards half the rate"))
    }
    for index in unit.items.indices where number("enabled", item: index) != 0 {
      guard let channels = channels(text("channels", of: index) ?? "all") else {
        return refuse("its band \(index + 1) is for '\(text("channels", of: index) ?? "")'")
      }
      let type = text("type", of: index) ?? "peak"
      let chosen = channels.count == width ? nil : channels
      if type == "level" {
        steps.append((.gain(number("gain", item: index), isInverted: false), chosen))
        continue
      }
      guard let kind = ExportFilter.Kind(rawValue: type) else {
        return refuse("its band \(index + 1) is a \(type)")
      }
      let filter = ExportFilter(
        kind: kind, frequency: number("frequency", item: index), q: number("q", item: index),
        order: Int(option("order", of: index) ?? 2), gain: number("gain", item: index))
      steps.append((.filter(filter), chosen))
    }
    if let curve = text("curve"), !curve.isEmpty {
      if text("curveLength") != "long" {
        source.turn(.approximated("another program follows the curve more closely below 100 Hz"))
      }
      for part in curve.split(separator: "|") {
        let sides = part.split(separator: ":").map(String.init)
        let chosen = sides.count > 1 ? channels(sides[0]) : Array(0..<width)
        guard let chosen, let points = sides.last else { return refuse("its curve '\(part)'") }
        steps.append((.curve(points), chosen.count == width ? nil : chosen))
      }
    }
    if number("gain") != 0 { steps.append((.gain(number("gain"), isInverted: false), nil)) }
    return steps
  }

  /// The channels of a band; nil for the middle, the sides, and channels that the signal does not have.
  private func channels(_ text: String) -> [Int]? {
    switch text {
    case "all": return Array(0..<width)
    case "left": return [0]
    case "right": return [1]
    case "mid", "side": return nil
    default:
      guard let selection = ChannelSelection(text) else {
        return nil
      }
      let found = selection.resolved(in: .usual(width))
      return found.missing.allSatisfy(\.mayBeMissing) ? found.channels : nil
    }
  }

  private func sections() -> [(step: ExportStep, channels: [Int]?)] {
    // The chain runs at this rate, or fxrun refuses it.
    read.insert("rate")
    return unit.items.indices.map { index in
      let numbers = { (name: String) in
        (self.text(name, of: index) ?? "1").split { $0 == " " || $0 == "," }.compactMap {
          Double($0)
        }
      }
      return (.section(Coefficients(b: numbers("b"), a: numbers("a"))), nil)
    }
  }

  private func align() -> [(step: ExportStep, channels: [Int]?)] {
    [(.delay(number("time") + (option("frames") ?? 0) / sampleRate), nil)]
  }

  private func matrix() -> [(step: ExportStep, channels: [Int]?)] {
    var outputs = Array(
      repeating: [(channel: Int, factor: Double)](), count: Int(option("channels") ?? 2))
    for index in unit.items.indices {
      guard let from = option("from", of: index), let to = option("to", of: index) else { continue }
      let level = number("gain", item: index)
      let sign = number("invert", item: index) != 0 ? -1.0 : 1
      outputs[Int(to) - 1].append((Int(from) - 1, sign * factor(decibels: level)))
    }
    return [(.routes(outputs), nil)]
  }

  private func convolver() -> [(step: ExportStep, channels: [Int]?)] {
    read.insert("impulse")
    guard case .sound(let file)? = unit.options["impulse"] else { return [] }
    return [(.impulse(ChainFile.absolute(file), gain: number("gain")), nil)]
  }

  private func compressor() -> [(step: ExportStep, channels: [Int]?)] {
    source.turn(.approximated("the same threshold, ratio and times; other curves"))
    return [
      (
        .compressor(
          ExportCompressor(
            threshold: number("threshold"), ratio: number("ratio"), knee: number("knee"),
            attack: number("attack"), release: number("release"), makeup: number("makeup"))), nil
      )
    ]
  }
}
