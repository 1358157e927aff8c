import FxAudio
import FxChain
package import FxKit

/// The tasks of a case process.
package enum CaseRun {
  /// Renders a case and compares it with its golden. A case that passes costs one render and a
  /// digest of its samples. Only a case that does not pass is rendered again with fingerprints of
  /// every node, and explained.
  ///
  /// - Parameter rendering: the rendered case, if it has been rendered already.
  package static func verdict(
    of asked: TestCase, rendering: CaseRendering? = nil
  ) -> CaseVerdict {
    let testCase = asked.hearingSignalsOfGolden
    // A render with other signals than the golden's cannot be compared with it.
    let rendering = testCase.defaultSignals == asked.defaultSignals ? rendering : nil
    var verdict = CaseVerdict(name: testCase.name, outcome: .passed)
    do throws(ChainFailure) {
      let rendering = if let rendering { rendering } else { try CaseRendering(testCase) }
      verdict.seconds = rendering.summary.processorSeconds
      verdict.warnings += UnitIdentity.copies(ofPlugins: rendering.plugins)
      verdict.warnings += rendering.summary.warnings
      guard WholeFile.exists(testCase.manifestPath) else {
        verdict.outcome = .new
        try compareWithSounds(&verdict, testCase, rendering)
        return verdict
      }
      let manifest = try Manifest(contentsOfFile: testCase.manifestPath)
      verdict.outputs = rendering.outputs.map { output in
        let isSame = manifest.output(output.name)?.digest == output.digest
        return CaseVerdict.Output(name: output.name, isSame: isSame, isWithinTolerance: isSame)
      }
      let missing = manifest.outputs.filter { output in
        !rendering.outputs.contains { $0.name == output.name }
      }
      verdict.warnings += testCase.missingSounds(manifest)
      try compare(&verdict, testCase, rendering, manifest)
      guard !missing.isEmpty || !verdict.outputs.allSatisfy(\.isWithinTolerance) else {
        if verdict.outputs.allSatisfy(\.isSame) {
          manifest.unheardChange(of: rendering.graph).map { verdict.notes.append($0) }
        }
        return verdict
      }
      verdict.outcome = .differs
      verdict.warnings += missing.map { "the chain has no output '\($0.name)' any more" }
      try explain(&verdict, testCase, rendering, manifest)
    } catch {
      verdict.outcome = .failed(error)
    }
    return verdict
  }

  /// Compares outputs that differ with the golden's sounds, if a tolerance needs it. Also checks
  /// that these sounds still belong to the manifest.
  private static func compare(
    _ verdict: inout CaseVerdict, _ testCase: TestCase, _ rendering: CaseRendering,
    _ manifest: Manifest
  ) throws(ChainFailure) {
    for index in verdict.outputs.indices {
      let name = verdict.outputs[index].name
      guard let output = rendering.outputs.first(where: { $0.name == name }) else { continue }
      guard !verdict.outputs[index].isSame else {
        verdict.warnings += testCase.damage(ofSoundOf: output, manifest).map { [$0] } ?? []
        continue
      }
      verdict.outputs[index].actualSound = output.sound
      guard let golden = manifest.output(name) else {
        verdict.warnings.append("the output '\(name)' is new")
        continue
      }
      guard let path = testCase.soundPath(ofOutput: name), WholeFile.exists(path) else { continue }
      let expected = try Sound(contentsOfFile: path)
      // Comparing with an unrelated sound would explain nothing.
      guard expected.isBeside(golden) else {
        verdict.warnings.append(TestCase.isAnotherSound(path))
        continue
      }
      verdict.outputs[index].expectedSound = expected
      verdict.outputs[index].isWithinTolerance =
        !testCase.tolerance.isExact
        && testCase.tolerance.accepts(expected: expected, actual: output.sound)
    }
  }

  /// Explains the difference: the environment, each output, and where the difference begins.
  private static func explain(
    _ verdict: inout CaseVerdict, _ testCase: TestCase, _ rendering: CaseRendering,
    _ manifest: Manifest
  ) throws(ChainFailure) {
    for index in verdict.outputs.indices {
      guard let expected = verdict.outputs[index].expectedSound,
        let actual = verdict.outputs[index].actualSound
      else { continue }
      verdict.outputs[index].comparison = Comparison(expected: expected, actual: actual)
    }
    var options = CaseRendering.Options()
    options.wantsFingerprints = true
    let printed = try CaseRendering(testCase, options)
    if let environment = printed.environment {
      verdict.environment = environment.changes(since: manifest.environment)
      let others = verdict.environment.filter { $0.kind != .blockSize }
      // Another case made the golden with its own block size, to show that it makes no difference.
      // Report the block size only if there is no other reason.
      if testCase.sharesGolden, !others.isEmpty { verdict.environment = others }
    }
    let unchanged = Set(verdict.outputs.filter(\.isSame).map(\.name))
    verdict.divergences = printed.fingerprints.divergences(
      from: manifest.fingerprints, suspects: Set(verdict.environment.compactMap(\.node))
    ).filter { divergence in
      // A sink whose output is the same may only receive it earlier or later: not a difference.
      !(printed.environment?.output(ofNode: divergence.node).map(unchanged.contains) ?? false)
    }
    verdict.blameLatencies(printed.fingerprints)
    if printed.environment?.sampleRate != manifest.environment.sampleRate {
      // At another sample rate every node receives other samples and rounds its times to other
      // frames.
      verdict.divergences.removeAll { $0.place != .source }
    }
    if zip(printed.outputs, rendering.outputs).contains(where: { $0.digest != $1.digest }) {
      verdict.warnings.append(
        "two renders of this case differ: a plugin does not repeat itself, and fxrun lint says which"
      )
    }
  }

  /// Renders a case as a golden: writes its sounds and its manifest, under their own names, into a
  /// folder.
  ///
  /// To find nodes that are not repeatable, call this in two processes and join the manifests with
  /// `marking(unlike:)`.
  package static func record(
    _ testCase: TestCase, into folder: String
  ) throws(ChainFailure) -> Manifest {
    var options = CaseRendering.Options()
    options.wantsFingerprints = true
    let rendering = try CaseRendering(testCase, options)
    guard let environment = rendering.environment else {
      throw ChainFailure(
        .internalError, code: .noPrints, "the render has no fingerprints; please report this")
    }
    var outputs: [Manifest.Output] = []
    for output in rendering.outputs {
      let name = testCase.soundPath(ofOutput: output.name).map(fileName)
      if let name {
        try check(output, fits: name)
        try output.sound.write(toFile: "\(folder)/\(name)")
      }
      var made = Manifest.Output(
        name: output.name, shape: Comparison.Shape(output.sound), digest: output.digest, sound: name
      )
      if let name {
        let stored = try Sound(contentsOfFile: "\(folder)/\(name)").digest
        if stored != output.digest { made.soundDigest = stored }
      }
      outputs.append(made)
    }
    var manifest = Manifest(
      outputs: outputs, environment: environment, fingerprints: rendering.fingerprints)
    manifest.signals = testCase.defaultSignals
    if testCase.cost != nil { manifest.cost = try CostMeasurement.costs(of: testCase) }
    try WholeFile.write(
      manifest.json.text() + "\n", to: "\(folder)/\(fileName(testCase.manifestPath))")
    return manifest
  }

  /// A FLAC file cannot hold samples beyond full scale.
  private static func check(
    _ output: CaseRendering.Output, fits name: String
  ) throws(ChainFailure) {
    guard name.lowercased().hasSuffix(".flac"), output.sound.peak >= 1 else { return }
    throw ChainFailure(
      .output, code: .beyondFullScale,
      "'\(output.name)' is beyond full scale, which \(name) cannot hold: name a .wav file as its golden",
      path: name)
  }

  static func fileName(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

extension Manifest {
  package func output(_ name: String) -> Output? { outputs.first { $0.name == name } }

  /// True if another render of the same case has the same sound.
  package func sounds(like other: Manifest) -> Bool {
    outputs.map(\.digest) == other.outputs.map(\.digest)
  }

  /// The manifest with `repeats` set to false for every node whose output differed for the same
  /// input in another render.
  package func marking(unlike other: Manifest) -> Manifest {
    var marked = self
    let unsteady = fingerprints.divergences(from: other.fingerprints).map(\.node)
    for index in marked.fingerprints.nodes.indices {
      marked.fingerprints.nodes[index].repeats = !unsteady.contains(
        marked.fingerprints.nodes[index].id)
    }
    return marked
  }
}

extension TestCase {
  /// A sentence for each missing sound file that the manifest names.
  fileprivate func missingSounds(_ manifest: Manifest) -> [String] {
    manifest.outputs.compactMap { output in
      guard output.sound != nil, let path = soundPath(ofOutput: output.name),
        !WholeFile.exists(path)
      else { return nil }
      return "\(path) is missing: without it a difference can hardly be explained"
    }
  }

  /// The mistake in the sound file of an output whose bits match the golden; nil if it is correct
  /// or missing.
  fileprivate func damage(ofSoundOf output: CaseRendering.Output, _ manifest: Manifest) -> String? {
    guard let golden = manifest.output(output.name), let path = soundPath(ofOutput: output.name),
      WholeFile.exists(path)
    else { return nil }
    do throws(ChainFailure) {
      let look = try Sound.look(atFile: path, beside: output.sound)
      return golden.isBeside(look, isUnchanged: true) ? nil : Self.isAnotherSound(path)
    } catch {
      return "\(error.message): without it a difference can hardly be explained"
    }
  }

  fileprivate static func isAnotherSound(_ path: String) -> String {
    "\(path) is not the sound that its manifest was written with: was it cut off or replaced? "
      + "take both from your version control again"
  }
}

extension CaseVerdict {
  /// A node whose reported latency has changed shifts its sound against the others. The difference
  /// then appears only in what leads to the next node, but begins at this one.
  fileprivate mutating func blameLatencies(_ fingerprints: NodeFingerprints) {
    let changed = Set(environment.filter { $0.kind == .shape }.compactMap(\.node))
    for index in divergences.indices where divergences[index].place == .connection {
      guard let receiver = fingerprints.nodes.first(where: { $0.id == divergences[index].node }),
        let source = receiver.sources.first(where: changed.contains),
        let node = fingerprints.nodes.first(where: { $0.id == source })
      else { continue }
      divergences[index].place = .node
      (divergences[index].node, divergences[index].unit) = (node.id, node.unit)
    }
  }
}
