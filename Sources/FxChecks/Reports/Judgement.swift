/// The verdict of a report as one word.
enum Judgement: String {
  case same, within, new, differs, failed

  /// The judgement of comparisons.
  ///
  /// - Parameter isExplained: true if there is an explanation although there are no sounds.
  init(of comparisons: [Comparison], isExplained: Bool) {
    self =
      comparisons.isEmpty
      ? (isExplained ? .differs : .new)
      : comparisons.allSatisfy { $0.category == .same } ? .same : .differs
  }

  /// The judgement of a case.
  init(_ verdict: CaseVerdict) {
    switch verdict.outcome {
    case .passed: self = verdict.outputs.allSatisfy(\.isSame) ? .same : .within
    case .new: self = .new
    case .differs: self = .differs
    case .failed: self = .failed
    }
  }

  var words: String {
    switch self {
    case .same: "Same"
    case .within: "Within the tolerance"
    case .new: "New"
    case .differs: "Differs"
    case .failed: "Failed"
    }
  }

  /// A sentence if there is no other explanation.
  var sentence: String {
    switch self {
    case .same: "the sound is the same to the bit"
    case .within: "the sound differs, by no more than is allowed"
    case .new: "there is nothing to compare with; this is the sound that was rendered"
    case .differs: "the sound differs"
    case .failed: "it could not be rendered"
    }
  }
}
