import FxAudio
import FxEngine

/// `docs/sources-and-sinks.md`, made from the declarations of the kinds.
enum EndpointReference {
  package static func page(_ endpoints: EndpointCatalog) -> String {
    """
    # Sources and sinks

    A source is a node where audio comes in, a sink one where audio goes out. `"source": …` and
    `"sink": …` name the kind: as a string, or as an object with the kind's key and its options.

    ```json
    { "version": 2,
      "nodes": {
        "in":   { "source": { "signal": "sweep", "duration": "5 s", "channels": 1 } },
        "gain": { "unit": "gain", "parameters": { "gain": "-6 dB" } },
        "out":  { "sink": { "file": "sweep.wav", "bits": 24 } }
      },
      "connections": ["in -> gain -> out"] }
    ```

    A string that is none of the words below is a file where it has a `.` or a `/`, and otherwise the
    name of an input or an output.

    ## Sources

    \(overview(endpoints.sources.map(\.spec)))
    \(sections(endpoints.sources.map(\.spec), node: "source"))
    ## Sinks

    \(overview(endpoints.sinks.map(\.spec)))
    A sink of any kind also takes `"channels"` (default: as many as arrive) and `"align"` (live, `false`
    hears itself as early as it can).

    \(sections(endpoints.sinks.map(\.spec), node: "sink"))
    """
  }

  /// The abilities of each kind.
  private static func overview(_ kinds: [EndpointSpec]) -> String {
    let abilities = EndpointSpec.Ability.allCases.filter { ability in
      kinds.contains { $0.abilities.contains(ability) }
    }
    let head = (["kind", "channels"] + abilities.map(\.rawValue)).joined(separator: " | ")
    let rule = String(repeating: "|---", count: abilities.count + 2) + "|"
    let rows = kinds.map { kind in
      let marks = abilities.map { kind.abilities.contains($0) ? "yes" : "" }
      return "| \((["`\(kind.key)`", kind.channels] + marks).joined(separator: " | ")) |"
    }
    return (["| \(head) |", rule] + rows).joined(separator: "\n") + "\n"
  }

  private static func sections(_ kinds: [EndpointSpec], node: String) -> String {
    kinds.map { kind in
      var text = "### `\(kind.key)`\n\n\(kind.summary)\n\nWritten as \(forms(kind, node)).\n"
      if case .regions = kind.target {
        text += "\n\(keys(ChainFormat.region.keys.filter { $0.key != "comment" }, "key"))"
      }
      guard !kind.options.isEmpty || kind.isRegion else { return text }
      text += "\n| option | value | |\n|---|---|---|\n"
      for option in kind.options {
        text += "| `\(option.key)` | \(option.describedRange) | \(option.summary) |\n"
      }
      if kind.isRegion { text += keys(ChainFormat.pieceKeys) }
      return text
    }.joined(separator: "\n")
  }

  /// Rows of a table, with a header row if it has a name.
  private static func keys(_ keys: [KeySpec], _ head: String? = nil) -> String {
    let rows = keys.map { "| `\($0.key)` | \($0.shape.name) | \($0.summary) |\n" }.joined()
    return head.map { "| \($0) | value | |\n|---|---|---|\n" + rows } ?? rows
  }

  private static func forms(_ kind: EndpointSpec, _ node: String) -> String {
    var forms = kind.shorthands.keys.sorted().reversed().map { "`\"\(node)\": \"\($0)\"`" }
    switch kind.target {
    case .name: forms.append("`{ \"\(kind.key)\": \"name\" }`")
    case .path: forms.append("`{ \"\(kind.key)\": \"sound.wav\" }`")
    case .address:
      forms.append("`\"\(node)\": \"https://…\"`")
      forms.append("`{ \"\(kind.key)\": \"https://…\" }`")
    case .text(let usual): forms.append("`{ \"\(kind.key)\": \"\(usual)\" }`")
    case .presence: forms.append("`{ \"\(kind.key)\": true }`")
    case .regions: forms.append("`{ \"\(kind.key)\": [ { \"file\": \"sound.wav\" }, … ] }`")
    case .choice(let labels):
      forms.append("`{ \"\(kind.key)\": \"\(labels.first ?? "")\" }`")
      return forms.joined(separator: ", ")
        + " with one of " + labels.map { "`\($0)`" }.joined(separator: ", ")
    }
    return forms.joined(separator: ", ")
  }
}
