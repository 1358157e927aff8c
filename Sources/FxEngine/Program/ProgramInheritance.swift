import FxGraph

/// Memory that a program takes over from the one before it; nil where it needs its own.
struct ProgramInheritance {
  /// By node.
  var nodes: [NodeMemory?] = []
  /// By delay line.
  var lines: [RingMemory?] = []
  /// By feedback line.
  var feedback: [RingMemory?] = []
  /// By event line.
  var events: [EventLineMemory?] = []
  /// By node: frames by which its own time line lags behind its input.
  var shifts: [Int] = []
  var clock: MusicalClock?
}
