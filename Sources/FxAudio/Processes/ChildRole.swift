import CRealtime

/// What a process of fxrun's own does.
package enum ChildRole: String, Sendable, CaseIterable {
  /// Renders an isolated plugin.
  case render
  /// Tries a plugin.
  case probe
  /// Reads the descriptions of LV2 bundles.
  case bundles
  /// Reads a SOFA file.
  case sofa
  /// Renders a case of a test file.
  case testCase = "test-case"
  /// Renders for a lint.
  case lint
  /// Renders the files of a batch, one after another.
  case batch

  package struct Limits: Sendable {
    /// Bytes of mapped memory.
    package var memory: Int?
    /// Seconds of processor time.
    package var processor: Int?
    /// Bytes of a file that it writes.
    package var file: Int?

    package init(memory: Int? = nil, processor: Int? = nil, file: Int? = nil) {
      self.memory = memory
      self.processor = processor
      self.file = file
    }

    /// Puts the limits into force; the processor time counts from now on.
    package func apply() {
      if let memory { fx_process_limit_memory(memory) }
      if let processor { fx_process_limit_processor(Int32(processor)) }
      if let file { fx_process_limit_files(file) }
    }
  }

  package var limits: Limits {
    switch self {
    case .render, .testCase, .lint, .batch: Limits()
    case .probe: Limits(file: 64 << 20)
    // The processor time of each bundle: that of LSP Plugins takes four seconds on a fast computer.
    case .bundles: Limits(memory: 2 << 30, processor: 30)
    case .sofa: Limits(memory: 2 << 30, processor: 60)
    }
  }
}
