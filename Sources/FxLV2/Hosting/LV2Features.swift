import CLilv
import FxAudio
import Glibc

/// The features that one plugin instance receives, in memory that outlives the instance.
final class LV2Features: @unchecked Sendable {
  // Sendable: filled in before the plugin exists and only read afterwards; the worker's rings and
  // the log have their own rules.

  /// Default size of an event buffer, in bytes.
  static let sequenceSize = 65536
  /// More than the number of features, with the nil at the end.
  private static let capacity = 64

  /// Ends with nil, as plugins expect.
  let list: UnsafeMutablePointer<UnsafePointer<LV2_Feature>?>
  /// The same for restoring and saving a state; lilv adds its own mapping of paths.
  let stateList: UnsafeMutablePointer<UnsafePointer<LV2_Feature>?>
  /// Where the plugin keeps its own files.
  let paths = LV2PathFeature()
  /// nil when the plugin does not use a worker.
  let worker: UnsafeMutablePointer<LV2Worker>?
  let log: LV2Log
  /// The plugin's URI.
  let plugin: String
  /// Its node and its URI, for the message when it crashes.
  let place: LV2Place.Pointer
  private var owned: [UnsafeMutableRawPointer] = []

  /// The features for a library before any of its plugins is instantiated; never freed.
  static var forLibraries: UnsafePointer<UnsafePointer<LV2_Feature>?>? {
    librariesList.list.map { UnsafePointer($0) }
  }

  private struct LibrariesList: @unchecked Sendable {
    // Sendable: written once, before any other thread can read it.
    let list: UnsafeMutablePointer<UnsafePointer<LV2_Feature>?>?
  }

  private static let librariesList: LibrariesList = {
    let list = UnsafeMutablePointer<UnsafePointer<LV2_Feature>?>.allocate(capacity: 3)
    list.initialize(repeating: nil, count: 3)
    let map = UnsafeMutablePointer<LV2_URID_Map>.allocate(capacity: 1)
    map.initialize(to: URIDMap.mapFeature)
    let unmap = UnsafeMutablePointer<LV2_URID_Unmap>.allocate(capacity: 1)
    unmap.initialize(to: URIDMap.unmapFeature)
    let features = UnsafeMutablePointer<LV2_Feature>.allocate(capacity: 2)
    features.initialize(to: LV2_Feature(URI: strdup(LV2URI.uridMap), data: map))
    (features + 1).initialize(to: LV2_Feature(URI: strdup(LV2URI.uridUnmap), data: unmap))
    list[0] = UnsafePointer(features)
    list[1] = UnsafePointer(features + 1)
    return LibrariesList(list: list)
  }()

  init(
    for description: LV2Description, _ preparation: Preparation, worksInline: Bool,
    log handler: @escaping LV2LogHandler
  ) {
    let known = Set(description.requiredFeatures + description.optionalFeatures)
    plugin = description.uri
    place = LV2Place.of(description.uri, node: preparation.node)
    log = LV2Log(plugin: description.uri, handler: handler)
    worker = known.contains(LV2URI.schedule) ? .allocate(capacity: 1) : nil
    worker?.initialize(to: LV2Worker(isLive: !worksInline, place: place))
    list = .allocate(capacity: LV2Features.capacity)
    list.initialize(repeating: nil, count: LV2Features.capacity)
    stateList = .allocate(capacity: LV2Features.capacity)
    stateList.initialize(repeating: nil, count: LV2Features.capacity)

    var data: [(String, UnsafeMutableRawPointer?)] = [
      (LV2URI.uridMap, own(URIDMap.mapFeature)),
      (LV2URI.uridUnmap, own(URIDMap.unmapFeature)),
      (LV2URI.options, options(preparation, for: description)),
      (LV2URI.boundedBlockLength, nil),
      (LV2URI.log, UnsafeMutableRawPointer(log.feature)),
      (LV2URI.loadDefaultState, nil),
      (LV2URI.threadSafeRestore, nil),
      (LV2URI.makePath, UnsafeMutableRawPointer(paths.make)),
      (LV2URI.mapPath, UnsafeMutableRawPointer(paths.map)),
      (LV2URI.freePath, UnsafeMutableRawPointer(paths.free)),
      (LV2URI.resizePort, resizePort(description)),
    ]
    data += blockFeatures(preparation).map { ($0, nil) }
    if known.contains(LV2URI.uriMap) { data.append((LV2URI.uriMap, own(URIDMap.uriMapFeature))) }
    if known.contains(LV2URI.event) { data.append((LV2URI.event, own(URIDMap.eventFeature))) }
    if let worker { data.append((LV2URI.schedule, own(LV2Worker.scheduleFeature(worker)))) }
    // Offline only where the plugin requires it.
    if preparation.isLive || description.requiresLive { data.append((LV2URI.isLive, nil)) }
    var stateCount = 0
    for (index, entry) in data.enumerated() {
      guard let uri = strdup(entry.0) else { continue }
      owned.append(UnsafeMutableRawPointer(uri))
      let feature = own(LV2_Feature(URI: uri, data: entry.1))
      list[index] = feature.map { UnsafePointer($0.assumingMemoryBound(to: LV2_Feature.self)) }
      guard !LV2Features.pathFeatures.contains(entry.0) else { continue }
      stateList[stateCount] = list[index]
      stateCount += 1
    }
  }

  deinit {
    worker?.pointee.destroy()
    worker?.deallocate()
    for pointer in owned { free(pointer) }
    list.deallocate()
    stateList.deallocate()
  }

  private static let pathFeatures: Set<String> = [
    LV2URI.makePath, LV2URI.mapPath, LV2URI.freePath,
  ]

  /// Options for the block length, which plugins read while they are instantiated.
  private func options(
    _ preparation: Preparation, for description: LV2Description
  ) -> UnsafeMutableRawPointer? {
    // The exact bound. Some plugins compute on whole blocks of this length and support only powers
    // of two: they refuse it now. With a wider bound they would render wrong output.
    let maximum = LV2Features.blockLength(preparation.maximumFrameCount)
    let nominal = min(LV2Features.blockLength(preparation.nominalFrameCount), maximum)
    // The minimum equals the nominal length only for plugins that know fixed block lengths. Other
    // plugins need not change their behaviour for it.
    let knowsFixed = (description.requiredFeatures + description.optionalFeatures).contains {
      $0 == LV2URI.fixedBlockLength || $0 == LV2URI.powerOf2BlockLength
    }
    let isFixed = knowsFixed && LV2Features.whyNotFixed(preparation, powerOf2: false) == nil
    let int = URIDMap.shared.map(LV2URI.atomInt)
    let float = URIDMap.shared.map(LV2URI.atomFloat)
    let values: [(String, LV2_URID, UnsafeMutableRawPointer?)] = [
      (LV2URI.sampleRateOption, float, own(Float(preparation.sampleRate))),
      (LV2URI.minimumBlockLength, int, own(Int32(isFixed ? nominal : 1))),
      (LV2URI.maximumBlockLength, int, own(Int32(maximum))),
      (LV2URI.nominalBlockLength, int, own(Int32(nominal))),
      (LV2URI.sequenceSize, int, own(Int32(LV2Features.sequenceSize))),
    ]
    let size = (values.count + 1) * MemoryLayout<LV2_Options_Option>.stride
    // The last one stays zero: it ends the list.
    guard let memory = calloc(1, size) else { return nil }
    owned.append(memory)
    let options = memory.bindMemory(to: LV2_Options_Option.self, capacity: values.count + 1)
    for (index, value) in values.enumerated() {
      options[index] = LV2_Options_Option(
        context: LV2_OPTIONS_INSTANCE, subject: 0, key: URIDMap.shared.map(value.0), size: 4,
        type: value.1, value: value.2)
    }
    return memory
  }

  /// The longest block that a plugin processes when fxrun's blocks are this long.
  static func blockLength(_ frameCount: Int) -> Int {
    min(max(frameCount, 1), LV2Kernel.maximumFrameCount)
  }

  func own(bytes count: Int) -> UnsafeMutableRawPointer? {
    guard let memory = calloc(1, max(count, 1)) else { return nil }
    owned.append(memory)
    return memory
  }

  func own<Value: BitwiseCopyable>(_ value: Value) -> UnsafeMutableRawPointer? {
    guard let memory = malloc(MemoryLayout<Value>.stride) else { return nil }
    memory.initializeMemory(as: Value.self, to: value)
    owned.append(memory)
    return memory
  }
}
