/// Where the nodes of a graph lie when it is drawn from left to right in layers.
///
/// K. Sugiyama, S. Tagawa and M. Toda, "Methods for visual understanding of hierarchical system
/// structures", 1981: layers by the longest way from a source, points in the layers that a
/// connection crosses, then each layer ordered by the middle of what it is connected to.
struct GraphLayout {
  struct Edge: Equatable {
    var from: Int
    var to: Int
    /// It closes a loop.
    var isFeedback: Bool
    /// The rows in which it crosses the layers between its ends.
    var crossings: [Double] = []
  }

  /// By node, from 0.
  private(set) var layers: [Int]
  /// By node, from 0 at the top; no two of a layer are the same.
  private(set) var rows: [Double]
  private(set) var edges: [Edge] = []
  private(set) var layerCount = 0
  private(set) var rowCount = 0

  /// - Parameters:
  ///   - sources: By node, what it hears, as indices.
  ///   - feedback: Whether the second hears the first through a connection that closes a loop.
  init(sources: [[Int]], feedback: (Int, Int) -> Bool) {
    layers = Array(repeating: 0, count: sources.count)
    rows = Array(repeating: 0, count: sources.count)
    for (node, heard) in sources.enumerated() {
      for source in heard where sources.indices.contains(source) {
        // In the order of rendering, what comes later can only be heard through a loop.
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
