import FxAudio
import FxChain
import FxKit

/// The summary at the end of a render or a playback.
struct SummaryReport {
  let summary: RenderSummary
  /// Warnings and notes about the chain.
  var diagnostics = Diagnostics()

  var text: String {
    var lines: [String] = []
    // A repeated or padded output is longer than the render.
    let longest = max(summary.frames, summary.outputs.map(\.frames).max() ?? 0)
    let seconds = Text.decimal(Double(longest) / max(summary.sampleRate, 1), 2)
    let speed = Text.decimal(summary.speed, summary.speed < 10 ? 1 : 0)
    let played = summary.live?.playback == nil ? nil : summary.live?.device
    for output in summary.outputs {
      let isPlayed = output.name == played
      lines.append(
        (output.isPartial ? "stopped; what was rendered is in " : isPlayed ? "played on " : "")
          + "\(output.name): \(level(output))")
      lines += parts(output)
    }
    var facts = ["\(seconds) s at \(Int(summary.sampleRate.rounded())) Hz"]
    if summary.tailFrames > 0 { facts.append("tail \(frames(summary.tailFrames))") }
    if summary.tailWasCut { facts.append("still sounding at the end") }
    facts.append(latency)
    if summary.live == nil {
      facts.append("\(speed)× real time (\(Text.time(summary.elapsedSeconds)))")
    }
    lines.append(facts.joined(separator: " · "))
    if let live = summary.live { lines.append(text(of: live)) }
    if summary.live != nil, let heaviest { lines.append(heaviest) }
    return Text.lines(lines)
  }

  /// Warnings that are printed even with `--quiet`.
  var warnings: [String] {
    let lost = summary.outputs.filter { $0.nonFiniteSamples > 0 }.map { output in
      "\(output.name): \(Text.count(output.nonFiniteSamples, "sample")) not a number or infinite, "
        + "written as silence"
    }
    return (summary.warnings + lost).map { "warning: \(ForeignText.visible($0))" }
  }

  /// Files that are incomplete.
  var losses: [String] {
    summary.outputs.compactMap { output in
      loss(of: output).map { "error: \(ForeignText.visible(output.name)): \($0)" }
    }
  }

  private func loss(of output: RenderSummary.Output) -> String? {
    guard output.overrunFrames > 0 else { return nil }
    let places = output.gaps.prefix(4).map { gap in
      "\(Text.decimal(Double(gap.frame) / summary.sampleRate, 3)) s "
        + "(frame \(gap.frame), \(Text.count(gap.frames, "frame")))"
    }
    let more = output.gaps.count - places.count
    return "\(Text.count(output.overrunFrames, "frame")) lost, silent in the file: "
      + "it could not be written as fast as the device went\n  at "
      + places.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }

  /// A file begins where its input does; live output is delayed by the chain's latency.
  private var latency: String {
    guard summary.latencyFrames > 0 else { return "no latency" }
    let frames = Text.count(summary.latencyFrames, "frame")
    let time = Text.decimal(1000 * Double(summary.latencyFrames) / summary.sampleRate, 1)
    return summary.live == nil
      ? "\(frames) of latency removed" : "the chain delays by \(time) ms (\(frames))"
  }

  private func frames(_ count: Int) -> String {
    "\(Text.decimal(Double(count) / summary.sampleRate, 2)) s"
  }

  private func level(_ output: RenderSummary.Output) -> String {
    let peak = Math.decibels(amplitude: Double(output.peak))
    var level = peak == -.infinity ? "silent" : "peak \(Text.decimal(peak, 1)) dB"
    if output.normalization != 1 {
      let change = Math.decibels(amplitude: output.normalization)
      level += " (normalized by \(change < 0 ? "" : "+")\(Text.decimal(change, 1)) dB)"
    }
    if let loudness = output.loudness, loudness.isFinite {
      level += ", \(Text.decimal(loudness, 1)) LUFS"
    }
    level +=
      output.clippedSamples == 0
      ? ", nothing clipped" : ", \(Text.count(output.clippedSamples, "sample")) beyond full scale"
    return output.isBeforeEncoding ? "\(level) (before encoding)" : level
  }

  /// The files of a split output, as many as fit on a screen.
  private func parts(_ output: RenderSummary.Output) -> [String] {
    guard !output.parts.isEmpty else { return [] }
    let shown = output.parts.prefix(40).map { part in
      let title = part.title.map { $0.isEmpty ? "" : " \($0)" } ?? ""
      return "  \(part.name): \(frames(part.frames)) from \(frames(part.startFrame))\(title)"
    }
    let more = output.parts.count - shown.count
    return shown + (more > 0 ? ["  and \(Text.count(more, "file")) more"] : [])
  }

  /// The three nodes with the highest cost.
  private var heaviest: String? {
    let costs = summary.nodeCosts.filter { !$0.node.isEmpty }.prefix(3)
    guard !costs.isEmpty else { return nil }
    return "heaviest: "
      + costs.map { "\($0.node) \(LiveView.percent($0.load.mean))" }.joined(separator: ", ")
  }

  /// The number of xruns and their causes.
  private func xruns(_ live: RenderSummary.Live) -> String {
    var facts: [String] = []
    if live.xruns > 0 {
      facts = [
        "\(live.ownXruns - live.changeXruns) by a slow chain"
          + (live.starvedFrames > 0 ? " or source" : ""),
        "\(live.lateXruns) by a late machine or device",
      ]
      if live.changeXruns > 0 { facts.insert("\(live.changeXruns) while the chain changed", at: 1) }
    }
    var count = Text.count(live.xruns, "xrun")
    if live.gaps > 0 {
      count += " and \(Text.count(live.gaps, "gap")) that the device did not report"
    }
    guard live.xruns + live.gaps > 0 else { return count }
    let latest = "woken \(Text.decimal(live.latestWakeupSeconds * 1000, 1)) ms late at most"
    return facts.isEmpty
      ? "\(count) (\(latest))" : "\(count) (\(facts.joined(separator: ", ")); \(latest))"
  }

  private func text(of live: RenderSummary.Live) -> String {
    let share = live.blockSeconds > 0 ? 100 / live.blockSeconds : 0
    let times = live.blockTimes
    var facts = [
      xruns(live),
      "blocks took \(Text.decimal(live.meanBlockSeconds * share, 1)) % of their time, "
        + "99 of 100 at most \(Text.decimal(times.p99 * 100, 1)) %, "
        + "all at most \(Text.decimal(times.maximum * 100, 1)) %",
      "period \(live.periodFrames), buffer \(live.bufferFrames) frames",
    ]
    if let frames = live.roundTripFrames {
      let milliseconds = Text.decimal(Double(frames) / summary.sampleRate * 1000, 1)
      facts.insert(
        "round trip \(milliseconds) ms (\(Text.count(frames, "frame")))", at: 0)
    }
    if let frames = live.removedRoundTripFrames {
      facts.insert("recording moved earlier by \(Text.count(frames, "frame")) in files", at: 1)
    }
    if let capture = live.captureDevice { facts.insert("recorded from \(capture)", at: 0) }
    if let drift = live.driftPartsPerMillion {
      facts.append("clocks \(Text.decimal(drift, 0)) ppm apart, corrected")
    }
    facts += live.following.map(text)
    if live.starvedFrames > 0 {
      facts.append("\(Text.count(live.starvedFrames, "frame")) missing from a slow source")
    }
    if live.suspensions > 0 { facts.append(Text.count(live.suspensions, "suspension")) }
    if live.returns > 0 { facts.append("gone and back \(Text.count(live.returns, "time"))") }
    return facts.joined(separator: " · ")
  }

  private func text(of device: RenderSummary.FollowingDevice) -> String {
    var facts = [
      "\(Text.decimal(device.latencySeconds * 1000, 1)) ms",
      "clock \(Text.decimal(device.driftPartsPerMillion, 0)) ppm apart, corrected",
    ]
    if device.xruns > 0 { facts.append(Text.count(device.xruns, "xrun")) }
    if device.gaps > 0 { facts.append(Text.count(device.gaps, "gap")) }
    if device.returns > 0 { facts.append("gone and back \(Text.count(device.returns, "time"))") }
    let verb = device.isRecording ? "recorded beside it" : "played beside it"
    return "\(device.device) \(verb) (\(facts.joined(separator: ", ")))"
  }

  var json: JSONOutput {
    .members([
      "event": summary.live == nil ? nil : .string("summary"),
      "outputs": .array(summary.outputs.map(json)),
      "seconds": .number(summary.seconds),
      "frames": .integer(summary.frames),
      "sampleRate": .number(summary.sampleRate),
      "blockSize": .integer(summary.blockSize),
      "latencyFrames": .integer(summary.latencyFrames),
      "tail": .members([
        "frames": .integer(summary.tailFrames), "policy": .string(summary.tailPolicy),
        "wasCut": .bool(summary.tailWasCut),
      ]),
      "elapsedSeconds": .number(summary.elapsedSeconds),
      "processorSeconds": .number(summary.processorSeconds),
      "speed": .number(summary.speed),
      "pageFaults": .integer(summary.pageFaults),
      "wasStopped": .bool(summary.wasStopped),
      "warnings": .array(summary.warnings.map { .string($0) }),
      "faults": .array(summary.faults.map(EventReport.json)),
      "latencyChanges": .array(summary.latencyChanges.map(EventReport.json)),
      "diagnostics": .array(diagnostics.all.map(\.json)),
      "readings": summary.readings.isEmpty
        ? nil : .array(summary.readings.map(ReadingReport.json)),
      "regions": summary.regions.isEmpty
        ? nil : .array(summary.regions.map(PlayerReport.json)),
      "recovered": summary.recovered.isEmpty ? nil : .array(summary.recovered.map(json)),
      "live": summary.live.map(json),
      "nodes": summary.live != nil || summary.nodeCosts.isEmpty
        ? nil : .array(summary.nodeCosts.map(SnapshotReport.json)),
      "streamEvents": summary.live != nil || summary.deviceNotices.isEmpty
        ? nil : .array(summary.deviceNotices.map(EventReport.json)),
      "deviceEvents": summary.live == nil
        ? nil : .array(summary.deviceNotices.map(EventReport.json)),
    ])
  }

  private func json(_ output: RenderSummary.Output) -> JSONOutput {
    let peak = Math.decibels(amplitude: Double(output.peak))
    return .members([
      "name": .string(output.name),
      "isPartial": .bool(output.isPartial),
      "frames": .integer(output.frames),
      "channels": .integer(output.channels),
      "peak": .number(Double(output.peak)),
      "peakDecibels": peak.isFinite ? .number(peak) : nil,
      "normalization": output.normalization == 1
        ? nil : .number(Math.decibels(amplitude: output.normalization)),
      "loudness": output.loudness.map { .level($0) },
      "clippedSamples": .integer(output.clippedSamples),
      "isBeforeEncoding": output.isBeforeEncoding ? .bool(true) : nil,
      "nonFiniteSamples": .integer(output.nonFiniteSamples),
      "overrunFrames": .integer(output.overrunFrames),
      "parts": output.parts.isEmpty ? nil : .array(output.parts.map(json)),
      "gaps": output.gaps.isEmpty
        ? nil
        : .array(
          output.gaps.map {
            .members(["frame": .integer($0.frame), "frames": .integer($0.frames)])
          }),
      "takes": output.takes.map { takes in
        .array(
          takes.map {
            .members([
              "startFrame": .integer($0.startFrame), "fileFrame": .integer($0.fileFrame),
              "frames": .integer($0.frames),
            ])
          })
      },
    ])
  }

  private func json(_ part: RenderSummary.Part) -> JSONOutput {
    let peak = Math.decibels(amplitude: Double(part.peak))
    return .members([
      "name": .string(part.name), "number": .integer(part.number),
      "title": part.title.map { .string($0) }, "isPartial": .bool(part.isPartial),
      "frame": .integer(part.startFrame), "frames": .integer(part.frames),
      "seconds": .number(Double(part.startFrame) / summary.sampleRate),
      "durationSeconds": .number(Double(part.frames) / summary.sampleRate),
      "peakDecibels": peak.isFinite ? .number(peak) : nil,
      "source": part.source.map(Self.json),
    ])
  }

  /// The piece of the input file.
  static func json(_ span: RenderSummary.SourceSpan) -> JSONOutput {
    .members([
      "start": .number(span.start), "end": .number(span.end),
      "startFrame": span.startFrame.map { .integer($0) },
      "endFrame": span.endFrame.map { .integer($0) },
    ])
  }

  private func json(_ file: RenderSummary.Recovered) -> JSONOutput {
    .members(["name": .string(file.name), "seconds": file.seconds.map { .number($0) }])
  }

  private func json(_ live: RenderSummary.Live) -> JSONOutput {
    .members([
      "device": .string(live.device), "playback": live.playback.map(json),
      "captureDevice": live.captureDevice.map { .string($0) }, "capture": live.capture.map(json),
      "differences": .array(live.differences.map { .string($0) }),
      "roundTripFrames": live.roundTripFrames.map { .integer($0) },
      "removedRoundTripFrames": live.removedRoundTripFrames.map { .integer($0) },
      "driftPartsPerMillion": live.driftPartsPerMillion.map { .number($0) },
      "xruns": .integer(live.xruns), "captureXruns": .integer(live.captureXruns),
      "ownXruns": .integer(live.ownXruns), "changeXruns": .integer(live.changeXruns),
      "lateXruns": .integer(live.lateXruns), "gaps": .integer(live.gaps),
      "latestWakeupSeconds": .number(live.latestWakeupSeconds),
      "suspensions": .integer(live.suspensions), "returns": .integer(live.returns),
      "starvedFrames": .integer(live.starvedFrames),
      "periodFrames": .integer(live.periodFrames), "bufferFrames": .integer(live.bufferFrames),
      "meanBlockSeconds": .number(live.meanBlockSeconds),
      "maximumBlockSeconds": .number(live.maximumBlockSeconds),
      "blockSeconds": .number(live.blockSeconds),
      "nodes": .array(summary.nodeCosts.map(SnapshotReport.json)),
      "blockTimes": .members([
        "p50": .number(live.blockTimes.p50), "p99": .number(live.blockTimes.p99),
        "p999": .number(live.blockTimes.p999), "max": .number(live.blockTimes.maximum),
      ]),
      "voluntarySwitches": .integer(live.voluntarySwitches),
      "involuntarySwitches": .integer(live.involuntarySwitches),
      "otherWaits": .integer(live.otherWaits),
      "following": live.following.isEmpty ? nil : .array(live.following.map(json)),
    ])
  }

  private func json(_ device: RenderSummary.FollowingDevice) -> JSONOutput {
    .members([
      "device": .string(device.device),
      "direction": .string(device.isRecording ? "capture" : "playback"),
      "settings": json(device.settings),
      "driftPartsPerMillion": .number(device.driftPartsPerMillion),
      "latencySeconds": .number(device.latencySeconds),
      "xruns": .integer(device.xruns), "gaps": .integer(device.gaps),
      "suspensions": .integer(device.suspensions), "returns": .integer(device.returns),
    ])
  }

  private func json(_ settings: RenderSummary.DeviceSettings) -> JSONOutput {
    .members([
      "sampleRate": .number(settings.sampleRate), "channels": .integer(settings.channels),
      "format": .string(settings.format), "periodFrames": .integer(settings.periodFrames),
      "bufferFrames": .integer(settings.bufferFrames), "isMapped": .bool(settings.isMapped),
    ])
  }
}
