import CLilv
import CRealtime
import FxAudio
import Glibc

/// One instance of a plugin: instantiated, connected and activated here, and cleaned up in
/// `deinit`.
final class LV2Instance: @unchecked Sendable {
  // Sendable: immutable after `init`. The render thread uses `voice` while a program runs; the
  // control thread makes and releases it.
  let voice: LV2Voice
  let features: LV2Features
  /// True when the plugin scheduled jobs for its worker before it could play.
  let hadJobs: Bool
  private let memory: LV2Memory

  /// The channels and parameters of the ports, by port index.
  struct Channels {
    /// The block's channel for each audio or CV port; no entry for a port without a channel.
    var inputs: [Int: Int] = [:]
    var outputs: [Int: Int] = [:]
    /// The parameters of CV inputs, with their index among the unit's parameters.
    var controlled: [Int: (slot: Int, parameter: LV2Kernel.Parameter)] = [:]
  }

  /// `controls` holds the values of the control inputs by port index. `start` is restored before
  /// the plugin is activated, and applied before it renders.
  init(
    _ description: LV2Description, _ library: LV2Library, _ preparation: Preparation,
    channels: Channels, controls: UnsafeMutablePointer<Float>, worksInline: Bool,
    start: LV2Start, log: @escaping LV2LogHandler
  ) throws(Failure) {
    let features = LV2Features(
      for: description, preparation, worksInline: worksInline, log: log)
    let descriptor = library.descriptor
    guard let instantiate = descriptor.pointee.instantiate,
      descriptor.pointee.connect_port != nil, descriptor.pointee.run != nil
    else {
      throw Failure(
        .unusablePlugin, "the binary of LV2 plugin '\(description.uri)' lacks a function")
    }
    let place = features.place
    let handle = LV2Instance.guarded(place) {
      LV2Heap.zeroed {
        instantiate(descriptor, preparation.sampleRate, description.bundle, features.list)
      }
    }
    guard let handle else {
      throw Failure(
        .unusablePlugin,
        "LV2 plugin '\(description.uri)' refused to start at "
          + "\(LV2Plugin.number(preparation.sampleRate)) Hz")
    }
    let memory = LV2Memory()
    self.features = features
    self.memory = memory
    let voice = LV2Instance.guarded(place) {
      memory.connected(
        description, descriptor, handle, features, channels: channels, controls: controls,
        isLive: preparation.isLive && !worksInline)
    }
    self.voice = voice
    let (isStarted, hadJobs) = LV2Instance.guarded(place) {
      LV2Instance.attachWorker(descriptor, handle, features)
      start.restore(to: handle, of: descriptor, features, plugin: description.uri, log: log)
      LV2Heap.zeroed { descriptor.pointee.activate?(handle) }
      let hadJobs = start.prime(voice, frameCount: LV2Instance.nominalLength(preparation))
      return (features.worker.map { LV2Worker.launch($0) } ?? true, hadJobs)
    }
    self.hadJobs = hadJobs
    if fx_boundary_has_lost_files() != 0 {
      throw Failure(
        .unusablePlugin,
        "LV2 plugin '\(description.uri)' has closed files of fxrun; with \"isolated\": true its node runs "
          + "in a process of its own")
    }
    if !isStarted {
      throw Failure(
        .unusablePlugin,
        "no thread could be started for the worker of LV2 plugin '\(description.uri)'")
    }
  }

  deinit {
    if let worker = features.worker { LV2Worker.stop(worker) }
    LV2Endings.end(
      LV2Endings.Ending(
        uri: features.plugin, descriptor: voice.descriptor, handle: voice.handle,
        features: features, memory: memory))
  }

  /// Clears the plugin's sound. On the control thread while nobody runs the plugin; its worker is
  /// stopped meanwhile.
  func restart() {
    let descriptor = voice.descriptor
    let handle = voice.handle
    if let worker = features.worker { LV2Worker.stop(worker) }
    LV2Instance.guarded(features.place) {
      descriptor.pointee.deactivate?(handle)
      descriptor.pointee.activate?(handle)
      if let worker = features.worker { _ = LV2Worker.launch(worker) }
    }
  }

  /// Frames of a nominal block.
  static func nominalLength(_ preparation: Preparation) -> Int {
    min(
      LV2Features.blockLength(preparation.nominalFrameCount),
      LV2Features.blockLength(preparation.maximumFrameCount))
  }

  private static func attachWorker(
    _ descriptor: UnsafePointer<LV2_Descriptor>, _ handle: LV2_Handle, _ features: LV2Features
  ) {
    guard let worker = features.worker, let extensionData = descriptor.pointee.extension_data,
      let interface = LV2URI.workerInterface.withCString({ extensionData($0) })
    else { return }
    LV2Worker.attach(
      worker, interface: interface.assumingMemoryBound(to: LV2_Worker_Interface.self),
      handle: handle)
  }

  /// Runs a plugin's code on the control thread: its prints go to standard error, and the
  /// floating-point mode is restored.
  static func guarded<Result>(_ place: LV2Place.Pointer, _ body: () -> Result) -> Result {
    let mode = fx_floating_point_mode()
    defer { fx_set_floating_point_mode(mode) }
    return StandardOutput.diverted { LV2Place.within(place, body) }
  }
}
