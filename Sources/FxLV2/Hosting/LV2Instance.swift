import CLilv
import CRealtime
import FxAudio
import Glibc

/// One instance of a plugin: made, connected and activated here, and ended when it goes.
final class LV2Instance: @unchecked Sendable {
  // Sendable: immutable after `init`; the render thread uses `voice` while a program runs, the
  // control thread makes and ends it.
  let voice: LV2Voice
  private let features: LV2Features
  private let memory: LV2Memory

  /// Which of a block's channels go to which audio port, in port order; -1 for none.
  struct Channels {
    var inputs: [Int]
    var outputs: [Int]
  }

  /// `controls` holds the values of the control inputs by port index.
  init(
    _ description: LV2Description, _ library: LV2Library, _ preparation: Preparation,
    channels: Channels, controls: UnsafeMutablePointer<Float>, worksInline: Bool,
    log: @escaping LV2LogHandler
  ) throws(UnitError) {
    let features = LV2Features(
      for: description, preparation, worksInline: worksInline, log: log)
    let descriptor = library.descriptor
    guard let instantiate = descriptor.pointee.instantiate,
      descriptor.pointee.connect_port != nil, descriptor.pointee.run != nil
    else {
      throw UnitError(
        .instantiationFailed, "the binary of LV2 plugin '\(description.uri)' lacks a function")
    }
    let handle = LV2Instance.guarded {
      instantiate(descriptor, preparation.sampleRate, description.bundle, features.list)
    }
    guard let handle else {
      throw UnitError(
        .instantiationFailed,
        "LV2 plugin '\(description.uri)' refused to start at "
          + "\(LV2Plugin.number(preparation.sampleRate)) Hz")
    }
    let memory = LV2Memory()
    self.features = features
    self.memory = memory
    voice = LV2Instance.guarded {
      memory.connected(
        description, descriptor, handle, features, channels: channels, controls: controls,
        isLive: preparation.isLive && !worksInline)
    }
    let isStarted = LV2Instance.guarded {
      let isStarted = LV2Instance.startWorker(descriptor, handle, features)
      if isStarted { descriptor.pointee.activate?(handle) }
      return isStarted
    }
    if !isStarted {
      throw UnitError(
        .instantiationFailed,
        "no thread could be started for the worker of LV2 plugin '\(description.uri)'")
    }
  }

  deinit {
    let descriptor = voice.descriptor
    let handle = voice.handle
    if let worker = features.worker { LV2Worker.stop(worker) }
    LV2Instance.guarded {
      descriptor.pointee.deactivate?(handle)
      descriptor.pointee.cleanup?(handle)
    }
  }

  /// Makes the plugin forget all sound. On the control thread while nobody runs it; its worker
  /// rests meanwhile.
  func restart() {
    let descriptor = voice.descriptor
    let handle = voice.handle
    if let worker = features.worker { LV2Worker.stop(worker) }
    LV2Instance.guarded {
      descriptor.pointee.deactivate?(handle)
      descriptor.pointee.activate?(handle)
      _ = LV2Instance.startWorker(descriptor, handle, features)
    }
  }

  private static func startWorker(
    _ descriptor: UnsafePointer<LV2_Descriptor>, _ handle: LV2_Handle, _ features: LV2Features
  ) -> Bool {
    guard let worker = features.worker, let extensionData = descriptor.pointee.extension_data,
      let interface = LV2URI.workerInterface.withCString({ extensionData($0) })
    else { return true }
    return LV2Worker.start(
      worker, interface: interface.assumingMemoryBound(to: LV2_Worker_Interface.self),
      handle: handle)
  }

  /// Runs a plugin's code on the control thread: what it prints goes to standard error and the
  /// floating-point mode stays what it was.
  static func guarded<Result>(_ body: () -> Result) -> Result {
    let mode = fx_floating_point_mode()
    defer { fx_set_floating_point_mode(mode) }
    return StandardOutput.diverted(body)
  }
}
