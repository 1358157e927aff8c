import CLilv
import FxAudio
import Glibc
import Synchronization

/// Receives what plugins log, on whichever thread they log it (never the render thread when live).
package typealias LV2LogHandler = @Sendable (LV2LogLine) -> Void

/// One message that a plugin logged.
package struct LV2LogLine: Sendable, Hashable {
  package enum Level: String, Sendable, Hashable {
    case error, warning, note, trace
  }

  package let level: Level
  package let plugin: String
  /// Without the newline at its end.
  package let text: String

  /// Writes `URI: level: text` to standard error; traces are skipped.
  static let writeToStandardError: LV2LogHandler = { line in
    guard line.level != .trace else { return }
    // Every line names its plugin, so that none looks like a line of fxrun.
    let lines = line.text.split(whereSeparator: \.isNewline).map {
      "\(ForeignText.visible("\(line.plugin): \(line.level.rawValue): \($0)"))\n"
    }
    let text = Array(lines.joined().utf8)
    _ = text.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}

/// The log feature of one plugin instance.
///
/// Messages logged on the render thread of a live instance are kept until another thread logs
/// something or the instance ends.
final class LV2Log: @unchecked Sendable {
  // Sendable: the pointers never change. Their contents are atomic, or a ring between the render
  // thread and the holder of `draining`, or written before the plugin exists.
  let feature: UnsafeMutablePointer<LV2_Log_Log>
  /// The thread that is in the plugin's `run` of a live instance, otherwise 0.
  let renderThread: UnsafeMutablePointer<Atomic<UInt64>>
  private let target: UnsafeMutablePointer<fx_lv2_log_target>
  private let late = ByteRing(capacity: 16384)
  private let draining = Mutex(())
  private let plugin: String
  private let handler: LV2LogHandler

  init(plugin: String, handler: @escaping LV2LogHandler) {
    self.plugin = plugin
    self.handler = handler
    feature = .allocate(capacity: 1)
    target = .allocate(capacity: 1)
    renderThread = .allocate(capacity: 1)
    renderThread.initialize(to: Atomic(0))
    target.initialize(to: fx_lv2_log_target(context: nil, line: nil))
    feature.initialize(to: fx_lv2_log(target))
    target.pointee.context = Unmanaged.passUnretained(self).toOpaque()
    target.pointee.line = { context, level, text in
      guard let context, let text else { return }
      Unmanaged<LV2Log>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.receive(level, text) }
    }
  }

  deinit {
    deliverLate()
    feature.deallocate()
    target.deallocate()
    renderThread.deinitialize(count: 1)
    renderThread.deallocate()
    late.destroy()
  }

  private func receive(_ level: LV2_URID, _ text: UnsafePointer<CChar>) {
    if renderThread.pointee.load(ordering: .relaxed) == fx_lv2_thread() {
      _ = late.push(text, size: UInt32(strlen(text)) + 1, tag: level)
      return
    }
    deliverLate()
    deliver(level, String(cString: text))
  }

  private func deliverLate() {
    draining.withLock { _ in
      let text = UnsafeMutableRawPointer.allocate(byteCount: late.maximumSize, alignment: 8)
      defer { text.deallocate() }
      while let message = late.pop(into: text) {
        deliver(message.tag, String(cString: text.assumingMemoryBound(to: CChar.self)))
      }
    }
  }

  private func deliver(_ level: LV2_URID, _ text: String) {
    var text = text
    while text.last?.isNewline == true { text.removeLast() }
    guard !text.isEmpty else { return }
    handler(LV2LogLine(level: LV2Log.level(of: level), plugin: plugin, text: text))
  }

  private static func level(of number: LV2_URID) -> LV2LogLine.Level {
    switch URIDMap.shared.unmap(number).map({ String(cString: $0) }) {
    case LV2URI.logError: .error
    case LV2URI.logWarning: .warning
    case LV2URI.logTrace: .trace
    default: .note
    }
  }
}
