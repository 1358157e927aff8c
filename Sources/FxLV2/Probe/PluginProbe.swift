import CRealtime
package import FxAudio
import Glibc
import Synchronization

/// Probes plugins, each in its own process, where a crash does no harm.
package struct PluginProbe: Sendable {
  /// The time limit for a plugin, in seconds.
  package var timeout = 20.0
  package var sampleRate = 48000.0
  package var frameCount = 256
  /// The program of the process; nil for fxrun itself.
  package var host: String?
  private let searchPath: String

  /// `searchPath` as in `LV2World`.
  package init(searchPath: String? = nil) { self.searchPath = LV2SearchPath(searchPath).text }

  /// Loads, instantiates, runs (on a second of noise, then half a second of silence) and cleans up
  /// a plugin.
  ///
  /// An error means that no probe was possible.
  package func verdict(of description: LV2Description) throws(Failure) -> PluginVerdict {
    if let refusal = description.refusal {
      return PluginVerdict(.refused, detail: reason(refusal.message, description))
    }
    let spec = description.unitSpec
    var preparation = Preparation(
      sampleRate: sampleRate, maximumFrameCount: frameCount,
      inputWidths: spec.inputs.map { bus in
        if !bus.isOptional, case .exactly(let count) = bus.width { count } else { 0 }
      },
      outputWidths: spec.outputs.map { bus in
        if case .exactly(let count) = bus.width { count } else { 0 }
      },
      parameters: spec.parameters.map(\.defaultValue))
    // Notes for instruments.
    preparation.events = [
      MIDIEvent(frame: 0, bytes: (0x90, 60, 100), size: 3),
      MIDIEvent(frame: 24000, bytes: (0x80, 60, 0), size: 3),
    ]
    let request = HostRequest(
      uri: description.uri, searchPath: searchPath, preparation: preparation)
    let memory = try SharedMemory(size: ProbeExchange.size)
    let exchange = ProbeExchange.make(at: memory.base)
    let messages = try UnnamedFile()
    let child = try ChildTask(.probe, request: request.bytes, host: host).start(
      sharing: memory, messages: messages)
    let end = child.wait(seconds: timeout)
    let stage = PluginVerdict.Stage(rawValue: exchange.stage.pointee.load(ordering: .acquiring))
    guard let end else {
      _ = child.kill()
      return PluginVerdict(
        .hung, detail: "no end within \(LV2Plugin.number(timeout)) s", stage: stage)
    }
    return verdict(
      exchange, end, stage, Self.lastLine(messages.text(last: 400)), description)
  }

  private func verdict(
    _ exchange: ProbeExchange, _ end: ChildProcess.End, _ stage: PluginVerdict.Stage?,
    _ words: String?, _ description: LV2Description
  ) -> PluginVerdict {
    let figures = exchange.figures.pointee
    if figures.messageSize > 0, end == .status(0) {
      return PluginVerdict(.failed, detail: reason(exchange.message, description))
    }
    guard end == .status(0), stage == .exit else {
      let detail = end.description + (words.map { ": \($0)" } ?? "")
      return PluginVerdict(.crashed, detail: detail, stage: stage)
    }
    var verdict = PluginVerdict(.ok, latency: figures.latency, prints: figures.prints != 0)
    if figures.frames > 0 {
      verdict.nanosecondsPerFrame = figures.seconds * 1e9 / Double(figures.frames)
    }
    if figures.isFinite == 0 {
      verdict.outcome = .nonFinite
      verdict.detail = "samples that are infinite or not a number at its outputs"
    } else {
      verdict.peak = figures.peak
      if figures.shouldSound != 0, figures.peak == 0 { verdict.outcome = .silent }
    }
    return verdict
  }

  /// A message without the plugin's name, which is shown next to it.
  private func reason(_ message: String, _ description: LV2Description) -> String {
    let name = "LV2 plugin '\(description.uri)' "
    return message.hasPrefix(name) ? String(message.dropFirst(name.count)) : message
  }

  /// The last line that the process wrote to standard error.
  private static func lastLine(_ text: String) -> String? {
    let line = text.split { $0.isNewline }.last
    return line.map { String($0.filter { !$0.isASCII || $0 >= " " }.prefix(200)) }
  }
}
