import FxChain
import FxKit

/// The live view as lines of text: levels, readings, costs and events. This type does not draw.
struct LiveView {
  let snapshot: LiveSnapshot
  let holds: LiveHolds
  /// Columns of the terminal.
  let width: Int
  let style: LiveViewStyle
  /// The help for the keys; nil if keys are not read.
  var keys: String?

  /// At most `height - 1` lines of at most `width - 1` columns, colour codes not counted.
  static func lines(
    _ snapshot: LiveSnapshot, holds: LiveHolds = LiveHolds(), width: Int, height: Int,
    style: LiveViewStyle = LiveViewStyle(), keys: String? = nil
  ) -> [String] {
    // Wider lines are hard to read. Some terminals wrap a line that uses the last column.
    let view = LiveView(
      snapshot: snapshot, holds: holds, width: max(20, min(width, 120)) - 1, style: style,
      keys: keys)
    return view.lines(height: max(height, 3) - 1)
  }

  /// The most important lines first, as many as fit.
  private func lines(height: Int) -> [String] {
    var room = height - 2
    let levels = Array(levelLines.prefix(room > 16 ? room / 2 : max(2, room / 2)))
    room -= levels.count
    let readings = Array(readingLines.prefix(max(0, room > 12 ? room / 2 : room - 3)))
    room -= readings.count
    let hint = keys.map { [style.paint(TerminalText.cut($0, width), .dim)] } ?? []
    let loads = loadLines(room: room - (room > 6 ? hint.count : 0))
    room -= loads.count
    return Array(
      ([title] + levels + readings + loads + [status] + (room > 0 ? hint : [])).prefix(height))
  }

  /// A text from the chain or the system, which may contain any characters.
  func plain(_ text: String) -> String {
    TerminalText.plain(text, isUnicode: style.isUnicode)
  }

  func fit(_ text: String, _ width: Int, isRight: Bool = false) -> String {
    TerminalText.fit(text, width, isRight: isRight, isUnicode: style.isUnicode)
  }

  /// The columns for names on the left.
  var nameWidth: Int {
    let names = snapshot.nodes.map(\.id) + LiveHolds.streams(of: snapshot).map(\.stream.name)
    let longest = names.map { TerminalText.columns(plain($0)) }.max() ?? 0
    return max(5, min(longest, width / 4, 20))
  }

  private var title: String {
    var facts = [plain(snapshot.chain)]
    if !snapshot.device.isEmpty { facts.append(plain(snapshot.device)) }
    if let capture = snapshot.captureDevice { facts.append("from " + plain(capture)) }
    let place = Self.clock(snapshot.positionSeconds)
    facts.append(snapshot.lengthSeconds.map { "\(place) / \(Self.clock($0))" } ?? place)
    if let tempo = snapshot.tempo, let bar = snapshot.bar, let beat = snapshot.beat {
      facts.append("\(shortNumber((tempo * 10).rounded() / 10)) bpm \(bar):\(Int(beat))")
    }
    switch snapshot.state {
    case .playing: break
    case .paused: facts.append("PAUSED")
    case .waiting: facts.append("WAITING FOR THE DEVICE")
    }
    // The chain's name is shortened to leave room for the rest.
    let rest = style.point + facts.dropFirst().joined(separator: style.point)
    let name = TerminalText.cut(
      facts[0], max(8, width - TerminalText.columns(rest)), isUnicode: style.isUnicode)
    let text = TerminalText.cut(name + rest, width, isUnicode: style.isUnicode)
    return style.paint(text, snapshot.state == .playing ? .bold : .yellow)
  }

  private var status: String {
    let counts = snapshot.counts
    var facts: [(text: String, color: LiveViewStyle.Color?)] = []
    if counts.xruns > 0 {
      let own = counts.ownXruns
      facts.append(
        (
          "\(Text.count(counts.xruns, "xrun")): \(own) by the chain, \(counts.xruns - own) by the "
            + "system", .red
        ))
    } else {
      facts.append(("0 xruns", nil))
    }
    if counts.gaps > 0 { facts.append((Text.count(counts.gaps, "gap"), .red)) }
    if counts.lostFrames > 0 {
      facts.append(("\(Text.count(counts.lostFrames, "frame")) not written", .red))
    }
    if counts.starvedFrames > 0 {
      facts.append(("\(Text.count(counts.starvedFrames, "frame")) missing", .yellow))
    }
    if counts.returns > 0 { facts.append(("back \(Text.count(counts.returns, "time"))", .yellow)) }
    if counts.suspensions > 0 {
      facts.append((Text.count(counts.suspensions, "suspension"), .yellow))
    }
    if let milliseconds = snapshot.roundTripMilliseconds {
      facts.append(("round trip \(Text.decimal(milliseconds, 1)) ms", nil))
    }
    facts.append(("period \(snapshot.periodFrames), buffer \(snapshot.bufferFrames)", nil))
    facts.append(("\(Text.decimal(snapshot.sampleRate, 0)) Hz", nil))
    var line = ""
    var used = 0
    for (text, color) in facts {
      let point = used == 0 ? "" : style.point
      let next = TerminalText.columns(point + text)
      // A text that does not fit is left out; the first one is cut.
      guard used + next <= width || used == 0 else { continue }
      line += point + style.paint(TerminalText.cut(text, width), color)
      used += next
    }
    return line
  }

  /// `3:05`, `1:02:45`.
  static func clock(_ seconds: Double) -> String {
    guard seconds.isFinite else { return "?" }
    let whole = Int(min(max(seconds, 0), 1e9))
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return whole < 3600
      ? "\(whole / 60):\(two(whole % 60))"
      : "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))"
  }
}
