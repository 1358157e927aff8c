import Foundation

/// Mistakes in a chain.
extension BadInputTests {
  static let chains: [BadInput] = [
    BadInput("not JSON", chain: "hello", 2, "chain.json:1:1: error:", "hello"),
    BadInput("an unfinished chain", chain: #"{ "version": 1, "chain": ["#, 2, "chain.json:1:"),
    BadInput("a comma too many", chain: #"{ "version": 1, "chain": [], }"#, 2, "chain.json:1:"),
    BadInput(
      "100,000 nested brackets", chain: String(repeating: "[", count: 100_000), 2,
      "chain.json:1:201: error:", "nested"),
    BadInput(
      "100,000 nested objects",
      chain: #"{"version":1,"chain":[]"# + String(repeating: #","a":{"b":1"#, count: 100_000), 2,
      "chain.json:1:", "nested"),
    BadInput(
      "an unknown key", chain: #"{ "version": 1, "chian": [] }"#, 2, "chain.json:1:17: error:",
      "did you mean 'chain'?"),
    BadInput(
      "a key twice", chain: #"{ "version": 1, "chain": [], "chain": [] }"#, 2, "chain.json:1:30:"),
    BadInput(
      "the wrong type", chain: #"{ "version": "one", "chain": [] }"#, 2, "chain.json:1:14: error:"),
    BadInput(
      "out of range",
      chain: BadInput.list(#"{ "unit": "gain", "parameters": { "gain": "60 dB" } }"#),
      2, "above the maximum of 48 dB", "-inf…48 dB"),
    BadInput(
      "the wrong unit of measure",
      chain: BadInput.list(#"{ "unit": "gain", "parameters": { "gain": "6 Hz" } }"#), 2,
      "chain.json:1:", "dB"),
    BadInput(
      "an unknown unit", chain: BadInput.list(#"{ "unit": "compresor" }"#), 2,
      "did you mean 'compressor'?"),
    BadInput(
      "a route to a channel that is not there",
      chain: BadInput.list(
        #"{ "unit": "matrix", "routes": [ { "from": 1, "to": 1 }, { "from": 1, "to": 3 } ] }"#),
      2, "chain.json:1:", "route 2 goes to channel 3, and there are 2"),
    BadInput(
      "a channel that the layout has not",
      chain: BadInput.list(#"{ "unit": "channelMap", "to": "stereo", "map": "XX=FL" }"#), 2,
      "chain.json:1:", "stereo has no channel 'XX'"),
    BadInput(
      "a channel that comes from two places",
      chain: BadInput.list(#"{ "unit": "channelMap", "to": "stereo", "map": "FL=FR; FL=FL" }"#), 2,
      "'map' sets 'FL' twice"),
    BadInput(
      "an entry of a channel map with two signs",
      chain: BadInput.list(#"{ "unit": "channelMap", "to": "stereo", "map": "FL==FR" }"#), 2,
      "'map' has entries such as FL=FR, separated by ';', and not 'FL==FR'"),
    BadInput(
      "bands that are too few", chain: BadInput.list(#"{ "unit": "multiband", "bands": [] }"#), 2,
      "chain.json:1:", "it needs at least two bands"),
    BadInput(
      "a choice that a switch has not",
      chain: """
        { "version": 1,
          "nodes": { "in": { "source": "main" }, "out": { "sink": "main" },
            "s": { "unit": "switch", "choices": { "one": {} }, "parameters": { "select": 7 } } },
          "connections": ["in -> s:one", "s -> out"] }
        """, 2, "chain.json:3:", "'select' is 7, and the number of its choices is 1"),
    BadInput(
      "an unknown parameter",
      chain: BadInput.list(#"{ "unit": "highPass", "parameters": { "freq": 80 } }"#), 2,
      "unit 'highPass' has no parameter 'freq'", "did you mean 'frequency'?"),
    BadInput(
      "a cycle",
      chain: """
        { "version": 1,
          "nodes": { "in": { "source": "main" }, "a": { "unit": "gain" }, "b": { "unit": "gain" },
            "out": { "sink": "main" } },
          "connections": ["in -> a -> b -> out", "b -> a"] }
        """, 2, "chain.json:", "a -> b -> a", #""feedback": true"#),
    BadInput(
      "a loop of a day",
      chain: """
        { "version": 1,
          "nodes": { "in": { "source": "main" }, "a": { "unit": "gain" }, "out": { "sink": "main" } },
          "connections": ["in -> a -> out",
            { "from": "a", "to": "a", "feedback": true, "delay": "86400 s" }] }
        """, 2, "chain.json:", "is above the maximum of 120"),
    BadInput(
      "a connection to nowhere",
      chain: """
        { "version": 1, "nodes": { "in": { "source": "main" }, "out": { "sink": "main" } },
          "connections": ["in -> uot"] }
        """, 2, "chain.json:2:", "'uot'", "did you mean 'out'?"),
    BadInput(
      "stereo into mono",
      chain: BadInput.list(
        #"{ "lv2": "urn:fxrun:saturator:stereo" }, { "unit": "downmix" }, { "unit": "pan" }, { "sink": { "file": "o.wav", "channels": 1 } }"#
      ), 2, "2 channels do not fit into 1 channel", "downmix", arguments: ["chain.json", "in.wav"],
      environment: TestPlugins.environment),
    BadInput(
      "a missing plugin", chain: BadInput.list(#"{ "lv2": "urn:fxrun:saturator:sterio" }"#), 3,
      "no LV2 plugin 'urn:fxrun:saturator:sterio' is installed", "urn:fxrun:saturator:stereo",
      "searched:", environment: TestPlugins.environment),
    BadInput(
      "a plugin that needs what fxrun has not",
      chain: BadInput.list(#"{ "lv2": "urn:fxrun:test:needy" }"#),
      3, "chain.json:1:", "urn:example:telepathy", environment: TestPlugins.environment),
    BadInput(
      "a plugin that does not start",
      chain: BadInput.list(#"{ "lv2": "urn:fxrun:test:unwilling" }"#),
      3, "chain.json:1:", "cannot start", environment: TestPlugins.environment),
    BadInput(
      "a plugin that its library lacks",
      chain: BadInput.list(#"{ "lv2": "urn:fxrun:test:absent" }"#),
      3, "chain.json:1:", "urn:fxrun:test:absent", environment: TestPlugins.environment),
    BadInput(
      "a plugin without its library", chain: BadInput.list(#"{ "lv2": "urn:fxrun:test:missing" }"#),
      3, "chain.json:1:", "nowhere.so", environment: TestPlugins.environment),
    BadInput(
      "a missing plugin and another mistake",
      chain: BadInput.list(#"{ "lv2": "urn:nothing" }, { "unit": "gian" }"#), 2, "urn:nothing",
      "did you mean 'gain'?", "2 errors"),
    BadInput("no chain file", chain: nil, 2, "chain.json:", "no such file", "check the name"),
    BadInput("a folder for a chain", chain: nil, 2, "chain.json:", "folder") {
      try FileManager.default.createDirectory(
        atPath: $0.file("chain.json"), withIntermediateDirectories: false)
    },
    BadInput("an empty chain file", chain: "", 2, "chain.json:1:1: error: the file is empty"),
    BadInput("a chain file of spaces", chain: " \n ", 2, "chain.json:", "error:"),
    BadInput("a chain that is not UTF-8", chain: nil, 2, "chain.json:1:", "UTF-8") {
      try $0.write("chain.json", Array(#"{ "version": 1, "name": ""#.utf8) + [0xe9, 0x22, 0x7d])
    },
    BadInput("a chain in UTF-16", chain: nil, 2, "chain.json:1:1:", "UTF-16", "save it as UTF-8") {
      try $0.write("chain.json", Array(emptyChain.utf8).reduce([0xff, 0xfe]) { $0 + [$1, 0] })
    },
    BadInput(
      "a newer version", chain: #"{ "version": 3, "chain": [] }"#, 2, "newer fxrun", "update fxrun"),
    BadInput(
      "the sound before the chain", 2, "in.wav", "chain comes first",
      arguments: ["in.wav", "chain.json", "-o", "out.wav"]),
    BadInput(
      "an included chain that is not there", chain: BadInput.list(#"{ "use": "other.json" }"#), 2,
      "chain.json:1:", "other.json"),
    BadInput(
      "a chain that uses itself", chain: BadInput.list(#"{ "use": "chain.json" }"#), 2,
      "chain.json:"),
    BadInput(
      "a variable without a value",
      chain:
        #"{ "version": 1, "variables": { "g": { "required": true } }, "chain": [{ "unit": "gain", "parameters": { "gain": "${g}" } }] }"#,
      2, "chain.json:1:", "--define g="),
  ]
}
