import FxChecks

/// The differences between two renderings that exceed a tolerance.
struct RenderingDifference {
  /// Empty if they match.
  private(set) var lines: [String] = []

  init(_ rendering: Rendering, from other: Rendering, _ tolerance: Golden.Tolerance) {
    let (now, then) = (rendering.rendered.outputs, other.rendered.outputs)
    let isOnly = now.count == 1 && then.count == 1
    for output in now {
      guard let expected = then.first(where: { $0.name == output.name }) else {
        lines.append("only the first of the two has an output '\(output.name)'")
        continue
      }
      guard !tolerance.limits.accepts(expected: expected.sound, actual: output.sound) else {
        continue
      }
      let found = Comparison(expected: expected.sound, actual: output.sound).lines
      let name = isOnly ? "sound" : "output '\(output.name)'"
      lines += found.enumerated().map {
        $0.offset == 0 ? "\(name): \($0.element)" : "  \($0.element)"
      }
    }
    for output in then where !now.contains(where: { $0.name == output.name }) {
      lines.append("only the second of the two has an output '\(output.name)'")
    }
    let (one, two) = (rendering.chainName, other.chainName)
    let subject = one == two ? "two renderings of \(one)" : "the renderings of \(one) and \(two)"
    if !lines.isEmpty { lines.insert("\(subject) do not sound the same", at: 0) }
  }
}
