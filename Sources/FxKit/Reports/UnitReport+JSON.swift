import FxAudio
package import FxChain
import FxUnits

extension UnitReport {
  package var json: JSONOutput {
    .members([
      "id": .string(spec.id), "name": .string(spec.name), "summary": .string(spec.summary),
      "usage": page.map { .string($0.usage) }, "source": page?.source.map { .string($0) },
      "category": .string(spec.category), "revision": .integer(spec.revision),
      "earlierRevisions": .array(earlier.map { .integer($0.revision) }),
      "wet": .number(spec.wet), "measures": spec.measures.map { .string($0) },
      "parameters": .array(spec.parameters.map(Self.json)),
      "options": .array(spec.options.map(Self.json)),
      "list": spec.list.map { list in
        .members([
          "key": .string(list.key), "element": .string(list.element),
          "parameters": .array(list.parameters.map(Self.json)),
          "options": .array(list.options.map(Self.json)),
        ])
      },
      "inputs": .array(
        spec.inputs.map {
          .members(["name": .string($0.name), "optional": .bool($0.isOptional)])
        }),
      "outputs": .array(
        spec.outputs.map {
          .members(["name": .string($0.name), "layout": .string(Self.text($0.layout))])
        }),
      "presets": .array(
        spec.presets.map { preset in
          .members([
            "name": .string(preset.name), "summary": .string(preset.summary),
            "parameters": .object(
              preset.parameters.sorted { $0.key < $1.key }.map {
                JSONOutput.Member($0.key, .number($0.value))
              }),
            "options": .object(
              preset.options.sorted { $0.key < $1.key }.map {
                JSONOutput.Member($0.key, .string(Self.text($0.value)))
              }),
          ])
        }),
      "readings": .array(
        spec.readings.map {
          .members([
            "id": .string($0.id), "summary": .string($0.summary),
            "measure": .string($0.measure.rawValue), "perChannel": .bool($0.isPerChannel),
          ])
        }),
    ])
  }

  private static func text(_ layout: OutputBusSpec.Layout) -> String {
    switch layout {
    case .kept: "kept"
    case .usual: "usual"
    case .exactly(let layout): layout.description
    case .option(let key): "option \(key)"
    }
  }

  static func json(_ parameter: ParameterSpec) -> JSONOutput {
    .members([
      "id": .string(parameter.id), "summary": .string(parameter.summary),
      "measure": .string(parameter.measure.rawValue),
      "minimum": bound(parameter.range.lowerBound),
      "maximum": bound(parameter.range.upperBound),
      "maximumOfSampleRate": parameter.rateLimit == .follows ? .number(RateLimit.share) : nil,
      "default": bound(parameter.defaultValue),
      "toggle": parameter.isToggle ? .bool(true) : nil,
      "integer": parameter.isInteger ? .bool(true) : nil,
      "choices": parameter.choices.isEmpty
        ? nil
        : .array(
          parameter.choices.map {
            .members(["label": .string($0.label), "value": .number($0.value)])
          }),
    ])
  }

  /// JSON has no infinity; chains write it as a text.
  private static func bound(_ value: Double) -> JSONOutput {
    value.isFinite ? .number(value) : .string(value < 0 ? "-inf" : "inf")
  }

  private static func json(_ option: OptionSpec) -> JSONOutput {
    .members([
      "key": .string(option.key), "summary": .string(option.summary),
      "values": .string(range(option)),
      "default": option.defaultValue.map { .string(text($0)) },
    ])
  }
}
