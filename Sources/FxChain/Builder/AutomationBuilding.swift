import FxAudio
import FxEngine

/// Automation, with times in seconds and values in the parameters' units of measure.
extension GraphBuilder {
  func applyAutomation(_ scope: Scope) {
    var kept: [Located<String>] = []
    for document in scope.document.automation {
      let referrer = Referrer(place: document.parameter.place)
      guard let target = locate(document.parameter.value, scope, referrer) else { continue }
      let draft = drafts[target.draft]
      if draft.automatedSlots.contains(target.slot) {
        report(
          .duplicateAutomation, "'\(document.parameter.value)' is automated twice",
          document.parameter.place, hints: ["put all its points into one list"])
        continue
      }
      checkDry(draft, target.slot, document.parameter.place, nil)
      checkUse(of: draft, target.slot, document.parameter.place, nil)
      var points = points(document, target.spec)
      guard let first = points.first else { continue }
      if document.origin == .start {
        // At the start of the render there is no earlier value.
        if first.seconds == 0 { draft.values[target.slot] = first.value }
        for index in points.indices { points[index].seconds += start }
      } else if start > 0, points.contains(where: { $0.seconds > 0 }) {
        kept.append(document.parameter)
      }
      draft.automate(target.slot, points)
    }
    reportInputTime(of: kept)
  }

  /// Seconds of the input that the render skips.
  private var start: Double {
    environment.start(context.sampleRate ?? environment.fallbackSampleRate)
  }

  /// Warns that a fade at the start of the input is over if the render starts later.
  private func reportInputTime(of automation: [Located<String>]) {
    guard let first = automation.first else { return }
    let names = automation.prefix(8).map { "'\($0.value)'" }.joined(separator: ", ")
    let more = automation.count > 8 ? ", …" : ""
    report(
      .automationTime,
      "the render begins at \(shortNumber(start)) s, and the automation of \(names)\(more) counts from the start of the "
        + "input", first.place,
      hints: ["\"time\": \"start\" beside its points counts from the start of the render"])
  }

  private func points(_ document: AutomationDocument, _ spec: ParameterSpec) -> [Automation.Point] {
    let time = ParameterSpec("time", "", .seconds, 0...(1e7), default: 0)
    var points: [Automation.Point] = []
    for point in document.points {
      var seconds: Double?
      var value: Double?
      do throws(ValueProblem) {
        seconds = context.moment(
          try time.value(point.time.value, context: context), point.time.value)
      } catch {
        let hints = error.hints.filter { !$0.hasPrefix("(time") }
        diagnostics.add(Diagnostic(error.code, error.message, at: point.time.place, hints: hints))
      }
      do throws(ValueProblem) {
        value = try spec.value(point.value.value, context: context)
      } catch {
        diagnostics.add(error.diagnostic(at: point.value.place))
      }
      guard let seconds, let value else { continue }
      let next = Automation.Point(
        seconds: seconds, value: value, curve: point.curve?.value ?? .step)
      if let last = points.last, seconds <= last.seconds {
        report(
          .pointOrder, "this point is not later than the one before it", point.time.place,
          hints: ["points are in the order of time, one a moment"])
      }
      checkCurve(from: points.last, to: next, point, spec)
      points.append(next)
    }
    return points
  }

  private func checkCurve(
    from last: Automation.Point?, to next: Automation.Point, _ point: AutomationDocument.Point,
    _ spec: ParameterSpec
  ) {
    guard let curve = point.curve, curve.value != .step else { return }
    guard let last else {
      report(
        .invalidCurve, "the first point has none before it to draw a line from", curve.place)
      return
    }
    if spec.isToggle || spec.isInteger || (!spec.choices.isEmpty && spec.choicesAreExclusive) {
      report(
        .invalidCurve, "'\(spec.id)' has nothing between its values; it can only step", curve.place)
    } else if curve.value == .exponential, last.value <= 0 || next.value <= 0 {
      report(
        .invalidCurve, "an exponential curve leads from one positive value to another", curve.place,
        hints: ["use \"linear\""])
    } else if !last.value.isFinite || !next.value.isFinite, !spec.endsInSilence(curve.value) {
      report(
        .invalidCurve,
        "no line leads to or from \(measured(last.value.isFinite ? next.value : last.value, spec.measure))",
        curve.place, hints: ["use a finite value such as -90 dB"])
    }
  }
}

extension ParameterSpec {
  /// True for a line of amplitudes; such a line cannot start or end at 0.
  fileprivate func endsInSilence(_ curve: Automation.Curve) -> Bool {
    curve == .linear && measure == .decibels && delivery == .amplitude
  }
}
