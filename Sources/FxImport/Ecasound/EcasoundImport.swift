import FxChain
import FxKit

/// Reads a chain setup of ecasound.
///
/// Source: ecasound 2.9.3, as docs/import/ecasound.md names it.
struct EcasoundImport {
  /// A chain of the setup: an input, operators and an output.
  struct Lane {
    let name: String
    /// Places in `inputs` and `outputs`; nil where nothing is connected.
    var input: Int?
    var output: Int?
    var operators: [EcasoundOption] = []
  }

  let importing: Importing
  private(set) var options: [EcasoundOption]
  private(set) var lanes: [Lane] = []
  private(set) var inputs: [EcasoundObject] = []
  private(set) var outputs: [EcasoundObject] = []
  /// The input and the output that the command line names: the first of a chain that is a file or a device.
  private(set) var mainInput: EcasoundObject?
  private(set) var mainOutput: EcasoundObject?
  /// Whether chains that meet are divided by their number.
  private(set) var isMean = false
  /// Frames of a block, by which a loop is late.
  private(set) var blockSize = 1024
  private var selected: [Int] = []
  /// Channels, sample rate and coding of the objects that follow.
  private var format = (channels: 2, rate: 44100.0, coding: "s16le")
  /// Whether the last object is an input; nil before the first.
  private var lastIsInput: Bool?
  /// The operator that a controller moves.
  private var last: EcasoundOption?

  init(_ text: String, _ importing: Importing) {
    self.importing = importing
    options = EcasoundOption.read(text)
    // ecasound reads the names of all chains first; what stands before the first `-a` belongs to the last selection.
    for option in options where option.name == "a" { select(option) }
    if lanes.isEmpty {
      lanes = [Lane(name: "default")]
      selected = [0]
    }
    importing.sampleRate = rate()
    for option in options { read(option) }
    mainInput = Self.main(inputs, Set(lanes.compactMap(\.input)))
    mainOutput = Self.main(outputs, Set(lanes.compactMap(\.output)))
  }

  private static func main(_ objects: [EcasoundObject], _ used: Set<Int>) -> EcasoundObject? {
    used.sorted().first { objects[$0].isOutside }.map { objects[$0] }
  }

  /// Channels of the format that is set last.
  var lastChannels: Int { format.channels }

  /// The sources of the report.
  var parts: [SourceValue] { options.map(\.source) }

  // MARK: Options

  private mutating func select(_ option: EcasoundOption) {
    guard !option.arguments.contains("all") else {
      selected = Array(lanes.indices)
      return
    }
    let names = option.arguments.filter { name in !lanes.contains { $0.name == name } }
    guard lanes.count + names.count <= 256 else {
      selected = []
      return option.refuse("fxrun takes 256 chains of a setup at most")
    }
    selected = option.arguments.map { name in
      if let index = lanes.firstIndex(where: { $0.name == name }) { return index }
      lanes.append(Lane(name: name))
      return lanes.count - 1
    }
  }

  /// The sample rate that the coefficients are made for: that of the first format.
  private func rate() -> Double {
    let texts = options.filter { $0.name == "f" }.compactMap { $0.argument(2) }
    let rates = texts.compactMap { Double($0) }
    return rates.first { (1000...1_000_000).contains($0) } ?? 44100
  }

  private mutating func read(_ option: EcasoundOption) {
    switch option.name {
    case "a": select(option)
    // What a chain has of these is settled with its graph.
    case "i": return add(option, isInput: true)
    case "o": return add(option, isInput: false)
    case "f": readFormat(option)
    case "y": readStart(option)
    case "z": readFeature(option)
    case "b":
      guard let size = option.argument(0).flatMap({ Int($0) }), (1...1_000_000).contains(size)
      else { return option.refuse("a block has 1 to 1000000 frames") }
      blockSize = size
      option.source.turn(.translated("fxrun has blocks of its own"))
    case "t":
      option.refuse("no part of a chain: use --duration")
    case "tl":
      option.refuse("no part of a chain: use 'loop' of a source")
    case "n", "B", "r", "x", "X", "G", "sr", "Mms", "Mss", "Md":
      option.source.turn(.translated("left out: it does not change the sound"))
    case "c", "C", "D", "d", "dd", "ddd", "q", "R", "s", "E", "K", "h":
      option.refuse("ecasound takes this option on its command line alone")
    case let name where name.hasPrefix("k"): readController(option)
    default: return addOperator(option)
    }
    option.source.settle()
  }

  private mutating func readFormat(_ option: EcasoundOption) {
    if let text = option.argument(0) {
      guard let coding = Self.coding(text) else {
        return option.refuse("ecasound has no format of this name")
      }
      format.coding = coding
    }
    if let text = option.argument(1) {
      guard let channels = Int(text), (0...32).contains(channels) else {
        return option.refuse("fxrun takes 1 to 32 channels")
      }
      if channels > 0 { format.channels = channels }
    }
    if let text = option.argument(2) {
      guard let rate = Double(text), rate == 0 || (1000...1_000_000).contains(rate) else {
        return option.refuse("a sample rate is 1000 to 1000000 Hz")
      }
      if rate > 0 { format.rate = rate }
    }
    option.source.turn(
      .translated(
        "the chain has the rate of its input, or this one if a filter is made for it; --bits is the format of a file"
      ))
  }

  /// The coding of `s16_le`, and of the older `16`; without an order of bytes it is that of the machine.
  private static func coding(_ text: String) -> String? {
    let named = ["8": "u8", "16": "s16", "24": "s24", "32": "s32"][text] ?? text
    let name = named.replacing("_", with: "")
    if name == "u8" || name == "s8" { return name }
    guard ["s16", "s24", "s32", "f32", "f64"].contains(name.prefix(3)) else { return nil }
    let order = name.dropFirst(3)
    return order.isEmpty ? name + "le" : order == "le" || order == "be" ? name : nil
  }

  /// `-y:seconds`: where the object before it begins.
  private mutating func readStart(_ option: EcasoundOption) {
    guard lastIsInput == true, let index = inputs.indices.last else {
      return option.refuse("fxrun writes outputs from their beginning")
    }
    guard let seconds = option.argument(0).flatMap({ Double($0) }), (0...86400).contains(seconds)
    else { return option.refuse("it needs a time of 0 to 86400 s") }
    inputs[index].start = seconds
  }

  private mutating func readFeature(_ option: EcasoundOption) {
    switch option.argument(0) {
    case "mixmode": isMean = option.argument(1) != "sum"
    case "multitrack":
      option.source.turn(
        option.argument(1) == nil
          ? .translated("fxrun aligns what it records by the latency it measures")
          : .approximated(
            "fxrun aligns what it records by the latency it measures, not by these frames"))
    case "db", "nodb", "intbuf", "nointbuf", "xruns", "noxruns", "psr", "nopsr", "nomultitrack":
      option.source.turn(.translated("left out: it does not change the sound"))
    default: option.refuse("ecasound has no such feature")
    }
  }

  private func readController(_ option: EcasoundOption) {
    let names = ["kos", "kog", "kf", "kl", "kl2", "klg", "km", "ksv", "kx"]
    guard names.contains(option.name) else {
      return option.refuse("ecasound has no such controller")
    }
    let target = last.map { "'\($0.source.path)' keeps its values" } ?? "no operator is before it"
    let hint =
      option.name == "km" ? "write a mapping in 'midi'" : "write a modulation or automation"
    option.refuse("\(target): \(hint) of the chain")
  }

  // MARK: Objects and operators

  private mutating func add(_ option: EcasoundOption, isInput: Bool) {
    lastIsInput = isInput
    let raw = "\(format.coding),\(plain(format.rate)),\(format.channels)"
    let object = EcasoundObject(option, channels: format.channels, rate: format.rate, raw: raw)
    if isInput {
      inputs.append(object)
    } else {
      outputs.append(object)
    }
    for lane in selected {
      if isInput {
        lanes[lane].input = inputs.count - 1
      } else {
        lanes[lane].output = outputs.count - 1
      }
    }
  }

  private mutating func addOperator(_ option: EcasoundOption) {
    guard selected.count == 1 else {
      return option.refuse(
        "ecasound takes an operator for one chain at a time: \(selected.count) are selected")
    }
    lanes[selected[0]].operators.append(option)
    last = option
  }
}
