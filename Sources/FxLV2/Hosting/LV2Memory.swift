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
    var controlled: [LV2ControlledPort] = []
    for port in description.ports {
      let data: UnsafeMutableRawPointer?
      switch port.kind {
      case .control:
        data = UnsafeMutableRawPointer((port.isInput ? controls : controlOutputs) + port.index)
      case .audio, .cv:
        var substitute = port.isInput ? silence : unread
        let channel = (port.isInput ? channels.inputs : channels.outputs)[port.index] ?? -1
        if port.isInput, port.kind == .cv {
          substitute = floats(LV2Kernel.maximumFrameCount)
          let value = controls[port.index]
          substitute.update(repeating: value, count: LV2Kernel.maximumFrameCount)
          if let parameter = channels.controlled[port.index] {
            controlled.append(
              LV2ControlledPort(
                channel: channel, samples: substitute, slot: parameter.slot,
                parameter: parameter.parameter, held: value))
          }
        }
        data = UnsafeMutableRawPointer(substitute)
        let connection = LV2Voice.AudioPort(
          port: UInt32(truncatingIfNeeded: port.index), channel: channel, substitute: substitute,
          connected: UnsafeRawPointer(substitute))
        if port.isInput { inputs.append(connection) } else { outputs.append(connection) }
      case .atom, .event, .unknown:
        // `LV2Support` refuses an unknown port unless it is optional.
        continue
      }
      descriptor.pointee.connect_port?(handle, UInt32(truncatingIfNeeded: port.index), data)
    }
    var eventPorts: [LV2EventPort] = []
    for (index, shape) in LV2Memory.eventShapes(of: description) {
      let port = eventPort(shape)
      descriptor.pointee.connect_port?(handle, UInt32(truncatingIfNeeded: index), port.buffer)
      eventPorts.append(port)
    }
    for port in description.ports {
      guard case .unknown = port.kind else { continue }
      descriptor.pointee.connect_port?(handle, UInt32(truncatingIfNeeded: port.index), nil)
    }
    return LV2Voice(
      place: features.place, descriptor: descriptor, handle: handle, inputs: buffer(inputs),
      outputs: buffer(outputs),
      controlled: buffer(controlled), eventPorts: buffer(eventPorts), worker: features.worker,
      renderThread: isLive ? features.log.renderThread : nil, controlOutputs: controlOutputs)
  }

  /// A copy of an array at a fixed address.
  func buffer<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafeMutableBufferPointer<
    Element
  > {
    let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: max(elements.count, 1))
    if let base = buffer.baseAddress { owned.append(UnsafeMutableRawPointer(base)) }
    _ = buffer.initialize(from: elements)
    return UnsafeMutableBufferPointer(rebasing: buffer[..<elements.count])
  }

  /// A copy of a value at a fixed address.
  func pointer<Value: BitwiseCopyable>(to value: Value) -> UnsafePointer<Value> {
    let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    pointer.initialize(to: value)
    owned.append(UnsafeMutableRawPointer(pointer))
    return UnsafePointer(pointer)
  }

  func floats(_ count: Int) -> UnsafeMutablePointer<Float> {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: max(count, 1) * MemoryLayout<Float>.stride, alignment: 64)
    owned.append(memory)
    return memory.initializeMemory(as: Float.self, repeating: 0, count: max(count, 1))
  }

  /// Zeroed bytes.
  func bytes(_ count: Int) -> UnsafeMutableRawPointer {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: max(count, 8), alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: max(count, 8))
    owned.append(memory)
    return memory
  }

  /// `count` copies of a value.
  func values<Value: BitwiseCopyable>(_ value: Value, count: Int) -> UnsafeMutablePointer<Value> {
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: max(count, 1))
    memory.initialize(repeating: value, count: max(count, 1))
    owned.append(UnsafeMutableRawPointer(memory))
    return memory
  }
}
