import FxAudio
import FxChain
import FxEngine

extension BuiltChain {
  /// The graph compiler's error, at its line of the chain file; nil if the error is not the
  /// chain's.
  func diagnostic(for error: GraphError) -> Diagnostic? {
    switch error {
    case .cycle(let nodes):
      let way = (nodes + nodes.prefix(1)).map { name($0) }.joined(separator: " -> ")
      return diagnostic(
        forNode: nodes.first ?? 0, .cycle, "the signal runs in a circle: \(way)",
        hints: [
          "mark a loop that is intended on one connection: "
            + "{ \"from\": …, \"to\": …, \"feedback\": true, \"delay\": \"20 ms\" }"
        ])
    case .feedbackClosesNoLoop(let connection):
      return diagnostic(
        forConnection: connection, .loopDelay,
        "\(way(connection)) says 'feedback' but closes no loop",
        hints: ["take 'feedback' away, or delay the signal with a 'delay' unit"])
    case .feedbackDelayTooShort(let connection, let delay, let loopLatency):
      return diagnostic(
        forConnection: connection, .loopDelay,
        "the loop through \(way(connection)) is \(loopLatency) frames late by its units alone, "
          + "which is not less than its delay of \(delay) frames",
        hints: ["a delay of at least \(loopLatency + 1) frames"])
    case .channelsDoNotFit(let connection, let from, let into):
      return diagnostic(
        forConnection: connection, .width,
        "\(way(connection)): \(channelWords(from)) do not fit into \(channelWords(into))",
        hints: [
          from > into
            ? "put { \"unit\": \"downmix\", \"channels\": \(into) } between, or pick \"channels\" "
              + "on the connection"
            : "only as many channels or one fit; pick \"channels\" on the connection"
        ])
    case .noSuchChannel(let connection, let channel, let width):
      return diagnostic(
        forConnection: connection, .width,
        "\(way(connection)): there is no channel \(channel), only \(channelWords(width))")
    case .dryDoesNotFit(let node, let input, let output):
      return diagnostic(
        forNode: node, .width,
        "'\(name(node))' makes \(channelWords(output)) of \(channelWords(input)): its 'wet' and 'bypass' "
          + "have no dry signal to mix with")
    case .tooManyChannels(let node, let width):
      return diagnostic(
        forNode: node, .width,
        "'\(name(node))' has \(width) channels, more than the \(maximumBusWidth) that fxrun carries"
      )
    case .unsoundPlan:
      return nil
    }
  }

  /// Messages about connections that join channels with different names, at their lines of the
  /// file.
  func diagnostics(for mismatches: [GraphLayouts.Mismatch]) -> [Diagnostic] {
    mismatches.map { mismatch in
      diagnostic(
        forConnection: mismatch.connection, .layout,
        "\(way(mismatch.connection)): the channels of \(mismatch.carried) "
          + "(\(labels(mismatch.carried))) meet those of \(mismatch.met) (\(labels(mismatch.met)))",
        hints: [
          "they are joined in this order; pick \"channels\" on the connection where that is not "
            + "meant, or give the source the \"layout\" that it has"
        ])
    }
  }

  private func labels(_ layout: ChannelLayout) -> String {
    layout.channels.map(\.label).joined(separator: " ")
  }

  private func name(_ node: Int) -> String {
    graph.nodes.indices.contains(node) ? graph.nodes[node].id : "?"
  }

  private func way(_ connection: Int) -> String {
    let connection = graph.connections[connection]
    return "'\(name(connection.from.node)) -> \(name(connection.to.node))'"
  }
}

/// `1 channel`, `2 channels`.
func channelWords(_ count: Int) -> String { "\(count) \(count == 1 ? "channel" : "channels")" }
