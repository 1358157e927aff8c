import FxAudio
import FxEngine
import FxKit

/// Checks a batch before any file is rendered.
enum BatchSetup {
  /// Refuses a chain with mistakes, and a chain that does not render one input to one output.
  ///
  /// The settings of single jobs may be wrong: the batch starts if the chain compiles for one of
  /// the jobs.
  ///
  /// - Parameter jobs: the jobs of the batch, with the variables that the chain needs.
  package static func check(
    _ options: BatchOptions, _ jobs: [BatchJob]
  ) throws(ChainFailure) -> CompiledChain {
    try checkOutputs(options, jobs)
    var first: ChainFailure?
    for job in jobs.prefix(triedJobs) {
      do throws(ChainFailure) {
        return try check(options, job)
      } catch {
        guard job.hasSettings else { throw error }
        first = first ?? error
      }
    }
    if let first { throw first }
    return try check(options, nil)
  }

  /// The number of jobs that are tried before the batch is refused.
  private static let triedJobs = 20

  /// Refuses the batch if no output can be written. If only some cannot, those jobs fail later.
  private static func checkOutputs(
    _ options: BatchOptions, _ jobs: [BatchJob]
  ) throws(ChainFailure) {
    var first: ChainFailure?
    var seen: Set<String> = []
    for job in jobs {
      let ending = job.output.lastIndex(of: ".").map { job.output[$0...] } ?? ""
      guard seen.insert("\(ending) \(job.tags.isEmpty)").inserted else { continue }
      do throws(ChainFailure) {
        return try options.request(job).checkOutput(job.output)
      } catch {
        // The cover picture is the same for all files.
        guard error.kind == .request else { throw error }
        first = first ?? error
      }
    }
    if let first { throw first }
  }

  /// Refuses files for inputs that the chain does not have, and files that cannot be read.
  private static func checkInputs(
    _ options: BatchOptions, _ compiled: CompiledChain
  ) throws(ChainFailure) {
    let bound = compiled.resolved.graph.nodes.compactMap { node -> SourceEndpoint? in
      guard case .source(let endpoint) = node.content, endpoint.nature == .bound else { return nil }
      return endpoint
    }
    let names = Set(bound.map(\.target))
    for name in options.request.inputs.keys.sorted() where !names.contains(name) {
      let others = names.subtracting(["main"]).sorted().joined(separator: ", ")
      throw mistake(
        "the chain has no input '\(name)' for --input \(name)=FILE"
          + (others.isEmpty ? "" : "; it has \(others)"))
    }
    var request = RenderRequest(inputs: options.request.inputs)
    request.rawInputs = options.request.rawInputs.filter { $0.key != "main" }
    for endpoint in bound { try request.checkInput(endpoint) }
  }

  private static func check(
    _ options: BatchOptions, _ first: BatchJob?
  ) throws(ChainFailure) -> CompiledChain {
    let compiled = try compiled(
      options.chain(first),
      options.request(first ?? BatchJob(index: 1, file: BatchFile(named: ""), output: "")))
    var outputs: Set<String> = []
    for sink in compiled.plan.sinks {
      guard let endpoint = compiled.endpoint(ofSink: sink) else { continue }
      switch endpoint.nature {
      case .file:
        throw mistake(
          "the chain writes the file '\(endpoint.target)' itself, and every file of a batch would "
            + "write it: let that sink be an output, or discard it")
      case .stream: throw mistake("the chain writes to standard output, which a batch cannot share")
      case .bound: outputs.insert(endpoint.target)
      case .device: outputs.insert("main")
      case .discarded: break
      }
    }
    guard outputs == ["main"] else {
      let names = outputs.sorted().joined(separator: ", ")
      throw mistake(
        "a batch writes the chain's output 'main' alone, and this chain has "
          + (names.isEmpty ? "none" : "the outputs \(names)"))
    }
    for source in compiled.plan.sources {
      guard let endpoint = compiled.endpoint(ofSource: source) else { continue }
      switch endpoint.nature {
      case .device: throw mistake("the chain records from a device, which a batch does not do")
      case .stream, .network:
        throw mistake("the chain reads a stream, which the files of a batch cannot share")
      case .bound where endpoint.target != "main" && options.request.inputs[endpoint.target] == nil:
        throw mistake(
          "the chain's input '\(endpoint.target)' has no file; give it one with "
            + "--input \(endpoint.target)=FILE")
      case .bound, .file, .generated, .schedule: break
      }
    }
    try checkInputs(options, compiled)
    return compiled
  }

  /// Compiles with a channel count that the chain accepts, because the files are not known yet.
  private static func compiled(
    _ chain: Chain, _ asked: RenderRequest
  ) throws(ChainFailure) -> CompiledChain {
    do throws(ChainFailure) {
      return try chain.planned(channels: 2, asked: asked)
    } catch {
      for channels in [1, 6, 8] {
        if let compiled = try? chain.planned(channels: channels, asked: asked) { return compiled }
      }
      throw error
    }
  }

  private static func mistake(_ message: String) -> ChainFailure {
    ChainFailure(.request, code: .usage, message)
  }
}
