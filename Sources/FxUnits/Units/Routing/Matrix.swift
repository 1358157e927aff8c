import FxAudio

/// Routes any input channel to any output channel, each route with its own level.
struct Matrix: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "matrix", name: "Matrix",
    summary: "Routes input channels to output channels, each at its own level.",
    category: "channels",
    options: [
      OptionSpec("channels", "The width of the output.", .integer(1...32), default: .number(2))
    ],
    list: ListSpec(
      "routes", element: "route", form: .ordered, maximumCount: 1024,
      parameters: [
        .gain("gain", "The level of the route.", -(.infinity)...48),
        .toggle("invert", "Inverts the polarity."),
      ],
      options: [
        OptionSpec(
          "from", "The number of the input channel.", .integer(1...256), default: nil),
        OptionSpec(
          "to", "The number of the output channel.", .integer(1...32), default: nil),
      ]),
    outputs: [OutputBusSpec("out", width: .option("channels"), layout: .usual)],
    rendersInPlace: false)

  package struct Parameters: BitwiseCopyable {}

  package struct Item: BitwiseCopyable {
    let gain: ParameterSignal
    let invert: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Matrix.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Matrix.self)?.pointee.reset() })

  private let routeCount: Int
  private let sources: UnsafeMutablePointer<Int>
  private let targets: UnsafeMutablePointer<Int>

  package init(_ preparation: Preparation) throws(Failure) {
    routeCount = preparation.items.count
    let places = try Self.places(preparation)
    for (index, place) in places.enumerated() where place.from >= preparation.channelCount {
      throw Failure(
        .usage,
        "route \(index + 1) comes from channel \(place.from + 1), and there are "
          + "\(preparation.channelCount)")
    }
    sources = .allocate(capacity: max(1, routeCount))
    targets = .allocate(capacity: max(1, routeCount))
    for (index, place) in places.enumerated() {
      (sources + index).initialize(to: place.from)
      (targets + index).initialize(to: place.to)
    }
  }

  package static func check(_ preparation: Preparation) throws(Failure) {
    _ = try places(preparation)
  }

  /// The channels of each route, counted from 0.
  private static func places(
    _ preparation: Preparation
  ) throws(Failure) -> [(from: Int, to: Int)] {
    let width = preparation.outputWidths.first ?? 0
    var places: [(from: Int, to: Int)] = []
    for (index, item) in preparation.items.enumerated() {
      guard case .number(let from)? = item.options["from"],
        case .number(let to)? = item.options["to"]
      else { throw Failure(.usage, "route \(index + 1) needs 'from' and 'to'") }
      guard Int(to) <= width else {
        throw Failure(
          .usage,
          "route \(index + 1) goes to channel \(Int(to)), and there are \(width): 'channels' says how many"
        )
      }
      places.append((Int(from) - 1, Int(to) - 1))
    }
    return places
  }

  deinit {
    sources.deallocate()
    targets.deallocate()
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    UnitTraits(memory: preparation.items.count * 2 * MemoryLayout<Int>.stride)
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let items = block.parameterStorage.assumingMemoryBound(to: Item.self)
    for channel in 0..<block.outputCount {
      let output = block.outputs[channel]
      for frame in 0..<block.frameCount { output[frame] = 0 }
    }
    for route in 0..<routeCount {
      let (gain, invert) = (items[route].gain, items[route].invert)
      let (input, output) = (block.inputs[sources[route]], block.outputs[targets[route]])
      if gain.isConstant && invert.isConstant {
        let level = gain.value * (1 - 2 * invert.value)
        for frame in 0..<block.frameCount { output[frame] += level * input[frame] }
      } else {
        for frame in 0..<block.frameCount {
          output[frame] += gain[frame] * (1 - 2 * invert[frame]) * input[frame]
        }
      }
    }
  }

  @_noLocks
  package mutating func reset() {}
}
