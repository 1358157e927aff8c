import FxChain

/// How long the render continues after the input has ended.
public enum ChainTail: ParameterQuantity {
  /// As long as the units sound.
  case automatic
  case none
  case time(Time)

  public var chainValue: ChainValue {
    switch self {
    case .automatic: "auto"
    case .none: "none"
    case .time(let time): time.chainValue
    }
  }

  public init?(chainValue: ChainValue) {
    switch chainValue.text {
    case "auto": self = .automatic
    case "none": self = .none
    default:
      guard let time = Time(chainValue: chainValue) else { return nil }
      self = .time(time)
    }
  }
}

extension ChainGraph {
  /// Keys that the graph writes itself.
  static let ownKeys: Set<String> = ["version", "chain", "nodes", "connections"]

  /// A key of the whole chain that has no typed form: `comment`, `variables`, `tempo` as a list. The
  /// version, the nodes and the connections are no such keys: they are nil, and setting them has no
  /// effect.
  public subscript(key key: String) -> ChainValue? {
    get { keys.value(of: key) }
    set {
      guard !Self.ownKeys.contains(key) else { return }
      keys.set(key, newValue)
      sites = sites.filter { $0.key != "/\(key)" && !$0.key.hasPrefix("/\(key)/") }
    }
  }

  private subscript<Value: ParameterQuantity>(typed key: String) -> Value? {
    get { self[key: key].flatMap { Value(chainValue: $0) } }
    set { self[key: key] = newValue?.chainValue }
  }

  /// What the chain is called.
  public var name: String? {
    get { self[typed: "name"] }
    set { self[typed: "name"] = newValue }
  }

  /// The sample rate; nil for that of the input.
  public var sampleRate: Frequency? {
    get { self[typed: "sampleRate"] }
    set { self[typed: "sampleRate"] = newValue }
  }

  /// The number of channels of every named output, and of an input whose number is not known.
  public var channels: Int? {
    get { self[typed: "channels"] }
    set { self[typed: "channels"] = newValue }
  }

  /// Frames a block as plugins see it; nil for 256.
  public var blockSize: Int? {
    get { self[typed: "blockSize"] }
    set { self[typed: "blockSize"] = newValue }
  }

  /// The tail; nil for an automatic one.
  public var tail: ChainTail? {
    get { self[typed: "tail"] }
    set { self[typed: "tail"] = newValue }
  }

  /// One tempo for the whole chain; nil where there is none, or a list of points.
  public var tempo: Tempo? {
    get { self[typed: "tempo"] }
    set { self[typed: "tempo"] = newValue }
  }

  /// Beats of a bar and the note that is a beat: `"6/8"`; nil for `"4/4"`.
  public var metre: String? {
    get { self[typed: "metre"] }
    set { self[typed: "metre"] = newValue }
  }

  /// The seed of units with noise in them; nil for 0.
  public var seed: Int? {
    get { self[typed: "seed"] }
    set { self[typed: "seed"] = newValue }
  }

  /// The scene that the chain begins with.
  public var scene: String? {
    get { self[typed: "scene"] }
    set { self[typed: "scene"] = newValue }
  }
}
