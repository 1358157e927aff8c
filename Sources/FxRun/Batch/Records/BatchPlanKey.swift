import FxAudio
import FxChain
import FxKit

/// Digests of everything that outputs depend on besides their inputs: the chain with its included
/// chains, its plugins, the settings, and fxrun's version.
struct BatchPlanKeys {
  private let options: BatchOptions
  /// The digests of the files that every render reads besides its input.
  private let fileDigests: String
  private var chains: [[String: String]: String] = [:]

  package init(_ options: BatchOptions) {
    self.options = options
    var files = options.request.inputs.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    // The empty name is free, because no input has it.
    if let cover = options.request.cover { files.append(("", cover)) }
    fileDigests = files.map { "\($0) \(BatchDigest.digest(ofFile: $1) ?? "none")" }
      .joined(separator: "\n")
  }

  /// The key of a job.
  package mutating func key(of job: BatchJob) -> String {
    let variables = options.variables.merging(job.variables) { $1 }
    let chain = chains[variables] ?? Self.digest(of: options.chain(job))
    chains[variables] = chain
    let ending = job.output.lastIndex(of: ".").map { String(job.output[$0...]) } ?? ""
    // The chain's path and the memory limit do not affect the sound.
    var asked = options
    asked.chain = ""
    asked.request.memoryLimit = nil
    asked.request.inputs = [:]
    var lines = [
      "fxrun \(Release.version)", chain, asked.json.text(indented: false), fileDigests,
      job.settings.json.text(indented: false), job.tags.json.text(indented: false), ending,
      job.raw ?? "",
    ]
    if job.levelling != Levelling() { lines.append(job.levelling.json.text(indented: false)) }
    return SHA256.digest(of: lines.joined(separator: "\n"))
  }

  private static func digest(of chain: Chain) -> String {
    guard let parts = chain.dependencies else { return SHA256.digest(of: chain.bytes) }
    let files = parts.files.filter { $0 != chain.path }
      .map { "\($0) \(SHA256.digest(ofFile: $0) ?? "none")" }
    let units = parts.units.map { unit in
      [
        unit.node, unit.unit, unit.version, unit.binary ?? "", unit.state ?? "",
        unit.binary == nil ? "" : UnitIdentity.descriptions(ofPlugin: unit.unit) ?? "",
      ].joined(separator: " ")
    }
    let variables = chain.variables.json.text(indented: false)
    return SHA256.digest(
      of: ([SHA256.digest(of: chain.bytes), variables] + files + units).joined(separator: "\n"))
  }
}
