/// Memory that a program takes over from the one before it; nil where it allocates its own.
struct ProgramInheritance {
  /// By node.
  var nodes: [NodeMemory?] = []
  /// By delay line.
  var lines: [RingMemory?] = []
  /// By feedback line.
  var feedback: [RingMemory?] = []
  /// By event line.
  var events: [EventLineMemory?] = []
  /// By node: frames by which its own timeline lags behind its input.
  var shifts: [Int] = []
  var clock: MusicalClock?
}
