import FxAudio

extension ProgramBuilder {
  /// The operations of a section, with neighbouring filter units joined. Not for a program that
  /// measures each node.
  ///
  /// - Parameters:
  ///   - steps: By operation, the number of its step.
  ///   - readCounts: See `RenderPlan.readCounts`.
  mutating func joined(
    _ operations: [Operation], _ steps: [Int], readCounts: [Int]
  ) -> [Operation] {
    var joined: [Operation] = []
    var row: [Filters] = []
    var index = 0
    while index <= operations.count {
      let next =
        index < operations.count
        ? filters(operations[index], plan.steps[steps[index]], readCounts[steps[index]]) : nil
      if let next, row.isEmpty || next.follows(row[row.count - 1]) {
        row.append(next)
      } else {
        joined += operationsJoining(row)
        row = next.map { [$0] } ?? []
        if next == nil, index < operations.count { joined.append(operations[index]) }
      }
      index += 1
    }
    return joined
  }

  /// A unit that consists only of filters.
  private struct Filters {
    let operation: Operation
    let call: UnsafeMutablePointer<NodeCall>
    let count: Int
    let inputs: [Int]
    let outputs: [Int]
    /// How many times its outputs are read.
    let readCount: Int

    /// True when it reads the outputs of `other`, and nothing else reads them.
    func follows(_ other: Filters) -> Bool {
      inputs == other.outputs && other.readCount == inputs.count
    }
  }

  private func filters(
    _ operation: Operation, _ step: RenderPlan.Step, _ readCount: Int
  ) -> Filters? {
    guard case .run(let call) = operation, case .run(let node, let inputs, let outputs) = step,
      let instance = instances[node], instance.filterCount > 0, instance.entry.join != nil,
      inputs.count == outputs.count, !inputs.isEmpty, call.pointee.events == nil,
      call.pointee.memory.pointee.modulation == nil, !call.pointee.restsWhenBypassed
    else { return nil }
    return Filters(
      operation: operation, call: call, count: instance.filterCount, inputs: inputs,
      outputs: outputs, readCount: readCount)
  }

  private mutating func operationsJoining(_ row: [Filters]) -> [Operation] {
    var operations: [Operation] = []
    var rest = row[...]
    for count in FilterRow.passes(row.map(\.count)) {
      let group = rest.prefix(count)
      rest = rest.dropFirst(count)
      if count == 1 {
        operations += group.map(\.operation)
      } else {
        let call = JoinedCall(group.map(\.call), in: &arena)
        operations.append(.runJoined(UnsafePointer(arena.pack([call]))))
      }
    }
    return operations
  }
}
