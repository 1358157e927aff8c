/// Groups of nodes, in an order in which they can run, and what each feeds.
struct GroupGraph {
  let successors: [[Int]]
  let predecessorCount: [Int]
  /// Groups that feed nobody, so that no order depends on them: among them every sink.
  let isEnd: [Bool]

  init(_ graph: ResolvedGraph, _ components: Components) {
    var successors = [[Int]](repeating: [], count: components.groups.count)
    var count = [Int](repeating: 0, count: components.groups.count)
    for connection in graph.graph.connections {
      let from = components.groupOfNode[connection.from.node]
      let to = components.groupOfNode[connection.to.node]
      guard from != to else { continue }
      successors[from].append(to)
      count[to] += 1
    }
    self.successors = successors
    predecessorCount = count
    isEnd = successors.map(\.isEmpty)
  }
}

/// A walk over two graphs at once in which a group that is in both comes once.
struct PairedWalk {
  private let old: GroupGraph
  private let new: GroupGraph
  private var oldOfNew: [Int?]
  private var newOfOld: [Int?]
  private var waitingOld: [Int]
  private var waitingNew: [Int]
  private var isDoneOld: [Bool]
  private var isDoneNew: [Bool]
  private var ready: [(old: Int?, new: Int?)] = []

  init(old: GroupGraph, new: GroupGraph, oldOfNew: (Int) -> Int?) {
    self.old = old
    self.new = new
    self.oldOfNew = new.successors.indices.map(oldOfNew)
    newOfOld = [Int?](repeating: nil, count: old.successors.count)
    for (group, other) in self.oldOfNew.enumerated() {
      if let other { newOfOld[other] = group }
    }
    (waitingOld, waitingNew) = (old.predecessorCount, new.predecessorCount)
    isDoneOld = waitingOld.map { _ in false }
    isDoneNew = waitingNew.map { _ in false }
  }

  /// Groups of the new graph that cannot be kept.
  mutating func droppedGroups() -> [Int] {
    for group in waitingOld.indices { offerOld(group) }
    for group in waitingNew.indices where oldOfNew[group] == nil { offerNew(group) }
    var dropped: [Int] = []
    var (firstOld, firstNew) = (0, 0)
    while true {
      while let next = ready.popLast() { finish(next.old, next.new) }
      while firstNew < isDoneNew.count, isDoneNew[firstNew] || new.isEnd[firstNew] {
        firstNew += 1
      }
      while firstOld < isDoneOld.count, isDoneOld[firstOld] || old.isEnd[firstOld] {
        firstOld += 1
      }
      guard firstNew < isDoneNew.count, firstOld < isDoneOld.count else { return dropped }
      // Both wait, each for the other graph, so both are kept.
      let moves = abs(firstNew - (oldOfNew[firstNew] ?? firstNew))
      let other = newOfOld[firstOld] ?? 0
      let group = abs(other - firstOld) > moves ? other : firstNew
      dropped.append(group)
      drop(group)
    }
  }

  private mutating func drop(_ group: Int) {
    guard let other = oldOfNew[group] else { return }
    oldOfNew[group] = nil
    newOfOld[other] = nil
    offerOld(other)
    offerNew(group)
  }

  private mutating func offerOld(_ group: Int) {
    guard !isDoneOld[group], waitingOld[group] == 0 else { return }
    if let other = newOfOld[group] {
      guard waitingNew[other] == 0 else { return }
      isDoneNew[other] = true
      isDoneOld[group] = true
      ready.append((group, other))
    } else {
      isDoneOld[group] = true
      ready.append((group, nil))
    }
  }

  private mutating func offerNew(_ group: Int) {
    if let other = oldOfNew[group] { return offerOld(other) }
    guard !isDoneNew[group], waitingNew[group] == 0 else { return }
    isDoneNew[group] = true
    ready.append((nil, group))
  }

  private mutating func finish(_ oldGroup: Int?, _ newGroup: Int?) {
    if let oldGroup {
      for next in old.successors[oldGroup] {
        waitingOld[next] -= 1
        offerOld(next)
      }
    }
    if let newGroup {
      for next in new.successors[newGroup] {
        waitingNew[next] -= 1
        offerNew(next)
      }
    }
  }
}
