package import FxAudio
package import FxChain

/// The reason why a chain could not be loaded, rendered or played.
public struct ChainFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of failure; the command line has an exit code for each.
  public enum Kind: String, Sendable, CaseIterable {
    /// The chain has mistakes; `diagnostics` says which.
    case chain
    /// A plugin is missing, cannot be hosted, or did not start.
    case plugin
    /// A source cannot be read.
    case input
    /// A sink cannot be written.
    case output
    /// A sound device cannot be opened or was lost.
    case device
    /// The caller asked for something that does not fit the chain.
    case request
    /// A mistake in fxrun itself.
    case internalError
  }

  public let kind: Kind
  /// One sentence, or the diagnostics as text.
  public package(set) var message: String
  /// The file or device of the failure.
  public let path: String?
  /// A stable code for programs.
  public let code: String
  package let details: Diagnostics
  /// Possible corrections, if `message` has a single mistake.
  public let hints: [String]
  /// The files that keep the sound from before a source failed.
  public let partials: [String]

  package init(
    _ kind: Kind, code: FailureCode, _ message: String, path: String? = nil, hints: [String] = [],
    partials: [String] = []
  ) {
    self.init(
      kind, codeText: code.rawValue, message, path: path, hints: hints, partials: partials)
  }

  /// - Parameter codeText: the code of a diagnostic, or one from another process.
  package init(
    _ kind: Kind, codeText code: String, _ message: String, path: String? = nil,
    hints: [String] = [], partials: [String] = []
  ) {
    self.kind = kind
    self.code = code
    // A longer message quotes a long value.
    self.message = ForeignText.shortened(message, to: 4000)
    self.path = path
    self.hints = hints
    self.partials = partials
    details = Diagnostics()
  }

  /// The mistakes of a chain. The kind is `plugin` or `request` if all errors are of that kind.
  package init(_ diagnostics: Diagnostics) {
    let errors = diagnostics.all.filter { $0.severity == .error }
    kind =
      if errors.isEmpty {
        .chain
      } else if errors.allSatisfy({ Self.pluginCodes.contains($0.code) }) {
        .plugin
      } else if errors.allSatisfy(Self.isOfRequest) {
        .request
      } else {
        .chain
      }
    code = errors.first?.code.rawValue ?? FailureCode.chain.rawValue
    message = diagnostics.text()
    path = nil
    hints = errors.count == 1 ? errors[0].hints : []
    partials = []
    details = diagnostics
  }

  package init(_ error: Failure, _ kind: Kind) {
    let kind: Kind =
      switch error.code {
      case .deviceUnavailable, .deviceLost: .device
      case .outOfRange: .request
      default: kind
      }
    self.init(
      kind, code: error.code, error.description, path: error.path,
      partials: error.partials)
  }

  private static let pluginCodes: Set<DiagnosticCode> = [.missingPlugin, .unusablePlugin]

  /// True if the mistake is in the request rather than in the chain.
  private static func isOfRequest(_ diagnostic: Diagnostic) -> Bool {
    switch diagnostic.code {
    case .unboundInput, .unboundOutput: true
    default: diagnostic.place == nil && diagnostic.origin?.hasPrefix("--") == true
    }
  }

  public var diagnostics: [ChainDiagnostic] { details.all.map(ChainDiagnostic.init) }

  public var description: String { message }
}
