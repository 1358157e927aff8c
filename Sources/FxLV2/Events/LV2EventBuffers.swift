import CLilv

/// The buffers of atom and event ports: their sizes and their purposes.
extension LV2Memory {
  /// A description of a port's buffer, before it is allocated.
  struct EventShape {
    /// Bytes, header included.
    let capacity: Int
    let isInput: Bool
    let layout: LV2EventPort.Layout
    /// The URI of an input's type; atom:Chunk for an output.
    let type: String
    let takesMIDI: Bool
    let takesTime: Bool
    /// Its index among the event inputs or outputs; negative if it is none of them.
    let eventIndex: Int
  }

  /// In port order, with port indices. Buffers are as large as the plugin asks for, and at least
  /// `LV2Features.sequenceSize` bytes.
  static func eventShapes(of description: LV2Description) -> [(index: Int, shape: EventShape)] {
    let midiInput = description.midiInput?.index
    let inputs = description.eventInputPorts.map(\.index)
    let outputs = description.eventOutputPorts.map(\.index)
    return description.ports.compactMap { port in
      let layout: LV2EventPort.Layout
      var type = LV2URI.atomChunk
      switch port.kind {
      case .atom(let bufferType):
        layout = bufferType == LV2URI.atomSequence ? .sequence : .atom
        if port.isInput { type = bufferType }
      case .event: layout = .eventBuffer
      default: return nil
      }
      let shape = EventShape(
        capacity: capacity(of: port), isInput: port.isInput, layout: layout, type: type,
        takesMIDI: port.index == midiInput, takesTime: port.isInput && port.supportsTime,
        eventIndex: (port.isInput ? inputs : outputs).firstIndex(of: port.index) ?? -1)
      return (port.index, shape)
    }
  }

  static func capacity(of port: LV2Port) -> Int {
    (max(port.minimumBufferSize, LV2Features.sequenceSize) + 32 + 7) & ~7
  }

  func eventPort(_ shape: EventShape) -> LV2EventPort {
    let port = LV2EventPort(
      buffer: bytes(shape.capacity), capacity: shape.capacity, isInput: shape.isInput,
      layout: shape.layout, type: URIDMap.shared.map(shape.type), takesMIDI: shape.takesMIDI,
      takesTime: shape.takesTime, eventIndex: shape.eventIndex)
    port.clear()
    return port
  }
}
