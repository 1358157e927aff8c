import FxEngine

/// Inlining removes the inputs and outputs of included chains: connections through them become
/// direct.
enum Inlining {
  static let connectionLimit = 1_000_000

  static func inlined(
    _ links: [Link], _ drafts: [NodeBuilder], _ diagnostics: inout Diagnostics
  ) -> [Link] {
    guard drafts.contains(where: \.isJunction) else { return links }
    var outgoing: [Int: [Int]] = [:]
    for (index, link) in links.enumerated() where drafts[link.from.node].isJunction {
      outgoing[link.from.node, default: []].append(index)
    }
    let junctionCount = drafts.count { $0.isJunction }
    var result: [Link] = []
    for link in links where !drafts[link.from.node].isJunction {
      // Depth first in the file's order; the stack holds the links still to follow, last one first.
      var pending = [(link: link, hops: 0)]
      while let (current, hops) = pending.popLast() {
        guard drafts[current.to.node].isJunction else {
          result.append(current)
          guard result.count <= connectionLimit else {
            diagnostics.add(
              Diagnostic(
                .tooLarge, "the chain unfolds to more than \(connectionLimit) connections",
                at: link.place))
            return []
          }
          continue
        }
        guard hops <= junctionCount else {
          diagnostics.add(
            Diagnostic(
              .cycle,
              "an included chain connects its input directly to its output, and is connected to "
                + "itself", at: link.place))
          break
        }
        for next in (outgoing[current.to.node] ?? []).reversed() {
          for joined in joined(current, links[next]).reversed() {
            pending.append((joined, hops + 1))
          }
        }
      }
    }
    return result
  }

  /// Joins two connections in a row. The result is several connections if one channel arrives more
  /// than once.
  static func joined(_ first: Link, _ second: Link) -> [Link] {
    var link = first
    link.to = second.to
    link.gain = first.gain * second.gain
    if let delay = second.feedbackDelay { link.feedbackDelay = (first.feedbackDelay ?? 0) + delay }
    switch (first.to.channel, second.from.channel) {
    case (nil, nil):
      guard let order = second.channels else { return [link] }
      guard let channels = first.channels else {
        link.channels = order
        return [link]
      }
      link.channels = order.map { channels.indices.contains($0) ? channels[$0] : $0 }
      return [link]
    case (nil, let picked?):
      if let channels = first.channels {
        guard channels.indices.contains(picked) else { return [] }
        link.from.channel = channels[picked]
        link.channels = nil
      } else if first.from.channel == nil {
        link.from.channel = picked
      } else if picked != 0 {
        return []
      }
      return [link]
    case (let placed?, nil):
      guard let order = second.channels else {
        if link.to.channel == nil { link.to.channel = placed }
        return [link]
      }
      return order.indices.filter { order[$0] == placed }.map { position in
        var link = link
        link.to.channel = second.to.channel ?? position
        return link
      }
    case (let placed?, let picked?):
      return placed == picked ? [link] : []
    }
  }
}
