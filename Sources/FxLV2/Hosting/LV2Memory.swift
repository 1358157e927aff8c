import CLilv
import FxAudio
import Glibc

/// The buffers behind the ports of one instance, freed with it.
final class LV2Memory: @unchecked Sendable {
  // Sendable: grows only while the instance is made.
  private var owned: [UnsafeMutableRawPointer] = []

  deinit {
    for memory in owned { memory.deallocate() }
  }

  /// Connects every port and returns the voice that renders with them.
  func connected(
    _ description: LV2Description, _ descriptor: UnsafePointer<LV2_Descriptor>,
    _ handle: LV2_Handle, _ features: LV2Features, channels: LV2Instance.Channels,
    controls: UnsafeMutablePointer<Float>, isLive: Bool
  ) -> LV2Voice {
    let controlOutputs = floats(description.ports.count)
    let silence = floats(LV2Kernel.maximumFrameCount)
    let unread = floats(LV2Kernel.maximumFrameCount)
    var inputs: [LV2Voice.AudioPort] = []
    var outputs: [LV2Voice.AudioPort] = []
    var atoms: [LV2Voice.AtomPort] = []
    for port in description.ports {
      let index = UInt32(truncatingIfNeeded: port.index)
      let data: UnsafeMutableRawPointer?
      switch port.kind {
      case .control:
        data = UnsafeMutableRawPointer((port.isInput ? controls : controlOutputs) + port.index)
      case .cv:
        let samples = floats(LV2Kernel.maximumFrameCount)
        let value = Float(port.isInput ? port.defaultValue ?? 0 : 0)
        samples.update(repeating: value, count: LV2Kernel.maximumFrameCount)
        data = UnsafeMutableRawPointer(samples)
      case .audio where port.isInput:
        let channel = inputs.count < channels.inputs.count ? channels.inputs[inputs.count] : -1
        data = UnsafeMutableRawPointer(silence)
        inputs.append(
          LV2Voice.AudioPort(
            port: index, channel: channel, substitute: silence, connected: UnsafeRawPointer(silence)
          ))
      case .audio:
        let channel = outputs.count < channels.outputs.count ? channels.outputs[outputs.count] : -1
        data = UnsafeMutableRawPointer(unread)
        outputs.append(
          LV2Voice.AudioPort(
            port: index, channel: channel, substitute: unread, connected: UnsafeRawPointer(unread)))
      case .atom(let type):
        let atom = atomPort(port, bufferType: type)
        data = atom.buffer
        atoms.append(atom)
      case .unknown:
        // Refused by `LV2Support` unless the plugin does without.
        data = nil
      }
      descriptor.pointee.connect_port?(handle, index, data)
    }
    return LV2Voice(
      descriptor: descriptor, handle: handle, inputs: buffer(inputs), outputs: buffer(outputs),
      atoms: buffer(atoms), worker: features.worker,
      renderThread: isLive ? features.log.renderThread : nil, controlOutputs: controlOutputs)
  }

  /// A copy of an array that stays where it is.
  func buffer<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafeMutableBufferPointer<
    Element
  > {
    let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: max(elements.count, 1))
    if let base = buffer.baseAddress { owned.append(UnsafeMutableRawPointer(base)) }
    _ = buffer.initialize(from: elements)
    return UnsafeMutableBufferPointer(rebasing: buffer[..<elements.count])
  }

  func floats(_ count: Int) -> UnsafeMutablePointer<Float> {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: max(count, 1) * MemoryLayout<Float>.stride, alignment: 64)
    owned.append(memory)
    return memory.initializeMemory(as: Float.self, repeating: 0, count: max(count, 1))
  }

  private func atomPort(_ port: LV2Port, bufferType: String) -> LV2Voice.AtomPort {
    let capacity = max(port.minimumBufferSize, LV2Features.sequenceSize) + 16
    let memory = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: capacity)
    owned.append(memory)
    return LV2Voice.AtomPort(
      buffer: memory, capacity: capacity, isInput: port.isInput,
      isSequence: bufferType == LV2URI.atomSequence,
      type: URIDMap.shared.map(port.isInput ? bufferType : LV2URI.atomChunk))
  }
}
