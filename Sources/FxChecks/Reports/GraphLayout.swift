/// The positions of a graph's nodes, drawn in layers from left to right.
///
/// K. Sugiyama, S. Tagawa and M. Toda, "Methods for visual understanding of hierarchical system
/// structures", 1981. A node's layer is the length of the longest path from a source. A connection
/// that crosses layers gets a point in each. Then each layer is sorted by the mean position of its
/// neighbours.
struct GraphLayout {
  struct Edge: Equatable {
    var from: Int
    var to: Int
    /// True for a connection that closes a loop.
    var isFeedback: Bool
    /// The rows where it crosses the layers between its ends.
    var crossings: [Double] = []
  }

  /// The layer of each node, from 0.
  private(set) var layers: [Int]
  /// The row of each node, from 0 at the top; unique within a layer.
  private(set) var rows: [Double]
  private(set) var edges: [Edge] = []
  private(set) var layerCount = 0
  private(set) var rowCount = 0

  /// - Parameters:
  ///   - sources: for each node, the indices of the nodes that it receives from.
  ///   - feedback: whether the second node receives from the first through a connection that closes
  ///     a loop.
  init(sources: [[Int]], feedback: (Int, Int) -> Bool) {
    layers = Array(repeating: 0, count: sources.count)
    rows = Array(repeating: 0, count: sources.count)
    for (node, heard) in sources.enumerated() {
      for source in heard where sources.indices.contains(source) {
        // In rendering order, a later node can be a source only through a loop.
        let isFeedback = source >= node || feedback(source, node)
        edges.append(Edge(from: source, to: node, isFeedback: isFeedback))
        if !isFeedback { layers[node] = max(layers[node], layers[source] + 1) }
      }
    }
    layerCount = (layers.max() ?? -1) + 1
    place()
  }

  private mutating func place() {
    var columns = Array(repeating: [Int](), count: layerCount)
    var neighbours = Array(repeating: [(layer: Int, place: Int)](), count: rows.count)
    for node in layers.indices { columns[layers[node]].append(node) }
    var crossings: [[Int]] = Array(repeating: [], count: edges.count)
    func connect(_ one: Int, _ oneLayer: Int, _ other: Int, _ otherLayer: Int) {
      neighbours[one].append((otherLayer, other))
      neighbours[other].append((oneLayer, one))
    }
    for (index, edge) in edges.enumerated() where !edge.isFeedback {
      var previous = edge.from
      for layer in (layers[edge.from] + 1)..<max(layers[edge.to], layers[edge.from] + 1) {
        let point = neighbours.count
        neighbours.append([])
        columns[layer].append(point)
        crossings[index].append(point)
        connect(previous, layer - 1, point, layer)
        previous = point
      }
      connect(previous, layers[edge.to] - 1, edge.to, layers[edge.to])
    }
    var row = [Double](repeating: 0, count: neighbours.count)
    func settle(_ column: Int) {
      let middle = Double(columns[column].count - 1) / 2
      for (index, point) in columns[column].enumerated() { row[point] = Double(index) - middle }
    }
    for column in columns.indices { settle(column) }
    for sweep in 0..<8 {
      let isForward = sweep % 2 == 0
      for column in isForward ? Array(columns.indices) : columns.indices.reversed() {
        let weights = columns[column].map { point -> Double in
          let side = neighbours[point].filter { isForward ? $0.layer < column : $0.layer > column }
          guard !side.isEmpty else { return row[point] }
          return side.reduce(0) { $0 + row[$1.place] } / Double(side.count)
        }
        columns[column] = zip(weights, columns[column]).enumerated()
          .sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map(\.element.1)
        settle(column)
      }
    }
    let top = row.min() ?? 0
    rowCount = columns.map(\.count).max() ?? 0
    for node in rows.indices { rows[node] = row[node] - top }
    for index in edges.indices { edges[index].crossings = crossings[index].map { row[$0] - top } }
  }
}
