extension RenderPlan {
  /// By step: how many times its outputs are read in a block, by later steps and by sinks.
  var readCounts: [Int] {
    var counts = Array(repeating: 0, count: steps.count)
    var writer: [Int: Int] = [:]
    func count(_ buffers: [Int]) {
      for buffer in buffers { if let step = writer[buffer] { counts[step] += 1 } }
    }
    for (number, step) in steps.enumerated() {
      count(step.reads)
      for buffer in step.writes { writer[buffer] = number }
    }
    for sink in sinks { count(sink.buffers) }
    return counts
  }
}
