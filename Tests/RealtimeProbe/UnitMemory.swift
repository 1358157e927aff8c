import FxAudio
import FxTestSupport
import FxUnits
import Glibc

/// Measures what units allocate, in a process with one thread.
enum UnitMemory {
  /// A line a unit and width: its name, what it declares, what was allocated.
  static func print() {
    for type in BuiltInUnits.all {
      for channels in [1, 2, 6, 32] {
        let (declared, allocated) = measure(type, channels)
        Swift.print("\(type.spec.id) \(channels) \(declared) \(allocated)")
      }
    }
  }

  private static func measure(_ type: UnitType, _ channels: Int) -> (declared: Int, allocated: Int)
  {
    let preparation = preparation(type.spec, channels)
    let declared = type.traits?(preparation).memory ?? 0
    // What is allocated once for all is there after the first time.
    for _ in 0..<2 { _ = try? type.make(preparation) }
    let before = allocatedBytes
    guard let instance = try? type.make(preparation) else { return (declared, -1) }
    let after = allocatedBytes
    return withExtendedLifetime(instance) { (declared, after - before) }
  }

  /// What the heap holds, from the allocator's own report: its last totals are those of all arenas.
  private static var allocatedBytes: Int {
    guard let symbol = dlsym(nil, "malloc_info"), let file = tmpfile() else { return 0 }
    defer { fclose(file) }
    typealias Report = @convention(c) (Int32, OpaquePointer) -> Int32
    _ = unsafeBitCast(symbol, to: Report.self)(0, OpaquePointer(file))
    rewind(file)
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = fread(&bytes, 1, bytes.count, file)
    var sizes: [Substring: Int] = [:]
    for line in String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: "\"")
      guard words.count > 3, words[0].hasSuffix("type=") else { continue }
      guard let size = words.dropLast().last.flatMap({ Int($0) }) else { continue }
      sizes[words[1]] = size
    }
    let used = (sizes["current"] ?? 0) - (sizes["fast"] ?? 0) - (sizes["rest"] ?? 0)
    return used + (sizes["mmap"] ?? 0)
  }

  private static func preparation(_ spec: UnitSpec, _ channels: Int) -> Preparation {
    var options: [String: OptionValue] = [:]
    for option in spec.options { options[option.key] = option.testValue }
    if options["lookahead"] != nil { options["lookahead"] = .number(0.02) }
    var items: [ListItem] = []
    if let list = spec.list {
      var options: [String: OptionValue] = [:]
      for option in list.options { options[option.key] = option.testValue }
      items = (0..<min(20, list.maximumCount ?? 20)).map {
        ListItem(id: "i\($0)", options: options)
      }
    }
    let widths =
      spec.list?.form == .namedInputs ? items.map { _ in 2 } : spec.inputs.map { _ in channels }
    var outputs = spec.outputs(items: items).map { _ in channels }
    if case .option(let key)? = spec.outputs.first?.width, case .number(let width)? = options[key] {
      outputs = [Int(width)]
    }
    if case .option(let key)? = spec.outputs.first?.width, case .text(let name)? = options[key],
      let layout = ChannelLayout(named: name)
    {
      outputs = [layout.channelCount]
    }
    var preparation = Preparation(
      sampleRate: 192000, maximumFrameCount: 1024, inputWidths: widths, outputWidths: outputs,
      options: options, items: items,
      parameters: spec.parameterSlots(items: items).map(\.spec.defaultValue))
    preparation.sounds = TestSounds.all
    preparation.models = TestModels.all
    return preparation
  }
}
