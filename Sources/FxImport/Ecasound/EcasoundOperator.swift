import FxChain
import FxNodes

/// A chain operator of ecasound.
struct EcasoundOperator {
  /// A node, and the signal behind it.
  struct Step {
    let node: Node
    /// The channels that it takes, from 0; nil for all.
    var channels: [Int]?
    /// Channels of the signal behind it.
    let width: Int
  }

  let name: String
  /// Channels of the signal before it.
  let width: Int
  let effect: Effect
  let count: Int
  private let arguments: [String]

  /// Operators whose first argument is a name.
  private static let named: Set<String> = ["elv2", "el", "eli", "pn", "pf"]

  init(_ option: EcasoundOption, width: Int, _ importing: Importing) {
    (name, count) = (option.name, option.arguments.count)
    self.width = width
    arguments = Array(option.arguments.dropFirst(Self.named.contains(name) ? 1 : 0))
    let options = option.arguments.enumerated().map { ("\($0.offset)", $0.element) }
    effect = Effect(
      source: option.source, options: EffectOptions(Dictionary(uniqueKeysWithValues: options)),
      importing: importing)
  }

  /// Adds the nodes of the operator, if fxrun takes them.
  func add(to path: inout SignalPath) {
    // Before any file is made for it.
    let wrong = arguments.first { !$0.isEmpty && Double($0)?.isFinite != true }
    if let wrong { return effect.refuse("'\(wrong)' is no number that fxrun reads") }
    let steps = steps()
    guard !effect.isRefused, effect.isComplete() else { return }
    var width = width
    for step in steps {
      let channels = step.channels?.count ?? width
      if let mistake = effect.importing.mistake(of: step.node, channels: channels) {
        return effect.refuse(mistake)
      }
      width = step.width
    }
    for step in steps {
      let node = step.node.comment("ecasound: \(effect.source.path)")
      if let channels = step.channels {
        path.append(node, on: channels)
      } else {
        path.append(node, width: step.width)
      }
    }
    effect.source.settle()
  }

  /// The nodes; empty for an operator that is refused, and for one that does nothing.
  private func steps() -> [Step] {
    switch name {
    case "ea", "eaw": amplify()
    case "eadb": level()
    case "eac": channelLevel()
    case "chmute": mute()
    case "epp": pan()
    case "eal": clip()
    case "chcopy", "erc", "chmove": copy()
    case "chmix", "erm": mean()
    case "chorder": order()
    case "efl": pass(.lowPass)
    case "efh": pass(.highPass)
    case "efb": band(.bandPass)
    case "efr": band(.notch)
    case "ef1", "efs": resonator()
    case "ef3": resonantLowPass()
    case "ef4": ladder()
    case "efa": allPass()
    case "efc": comb()
    case "efi": inverseComb()
    case "etd": delays()
    case "etm": multitap()
    case "etr": echoes()
    case "etf": fakeStereo()
    case "etc": chorus()
    case "etl", "etp": flanger()
    case "ete": reverb()
    case "eemt": tremolo()
    case "eemb", "eemp": pulse()
    case "ec": compressor()
    case "eca": advancedCompressor()
    case "enm": gate()
    case "gm": manualGate()
    case "ezx": constant()
    case "elv2": plugin(value(0) ?? "")
    case "el": ladspa()
    case "ev", "evp", "ezf", "eS": leftOut()
    default: refused()
    }
  }

  // MARK: Arguments

  var id: String { effect.importing.id(name) }

  var sampleRate: Double { effect.importing.sampleRate }

  private func value(_ index: Int) -> String? {
    // ecasound reads an empty argument as a missing one.
    effect.options["\(index)"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A number; ecasound reads a missing one as 0.
  func number(_ index: Int) -> Double {
    guard value(index) != nil else { return 0 }
    return effect.options.number("\(index)") { Double($0) } ?? 0
  }

  /// A number without its fraction; nil beyond a thousand million.
  func integer(_ index: Int) -> Int? {
    let number = number(index)
    return abs(number) <= 1e9 ? Int(number) : nil
  }

  /// A channel, from 0; nil for one that fxrun does not have.
  func channel(_ index: Int) -> Int? {
    integer(index).flatMap { (1...32).contains($0) ? $0 - 1 : nil }
  }

  // MARK: Results

  /// Nodes for the whole signal.
  func all(_ nodes: any ChainNode...) -> [Step] { nodes.map { Step(node: $0.node, width: width) } }

  func refuse(_ reason: String) -> [Step] {
    effect.refuse(reason)
    return []
  }

  /// Nothing, because the operator changes nothing.
  func nothing(_ reason: String) -> [Step] {
    effect.options.ignoreAll()
    effect.source.turn(.translated(reason))
    return []
  }

  private func leftOut() -> [Step] {
    nothing("left out: 'fxrun stats' and 'fxrun plot' measure a file")
  }

  private func refused() -> [Step] {
    switch name {
    case "ei": refuse("it changes the length of the sound: use 'speed' of a source")
    case "gc": refuse("no node of a chain: use --start and --duration")
    case "ge": refuse("fxrun's gate leaves out no time: use --cut-silence")
    case "eli":
      refuse("fxrun hosts LV2, not LADSPA; write the plugin's label with -el for its LV2 twin")
    case "pn", "pf":
      refuse("fxrun does not read ecasound's presets: write the operators of the preset here")
    default: refuse("ecasound 2.9.3 has no such option")
    }
  }
}
