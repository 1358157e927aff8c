import FxAudio

/// Rooms to start from.
enum ReverbPresets {
  static let all: [UnitPreset] = [
    UnitPreset(
      "room", "A furnished room.",
      ["decay": 0.5, "preDelay": 0.004, "damping": 3500, "early": 3],
      options: ["size": .number(0.4)]),
    UnitPreset(
      "chamber", "A chamber with hard walls.",
      ["decay": 1.1, "preDelay": 0.01, "damping": 7000], options: ["size": .number(0.5)]),
    UnitPreset(
      "plate", "Dense and bright, without the distance of a hall.",
      ["decay": 1.6, "preDelay": 0, "damping": 9000, "lowCut": 120, "lowDecay": 0.8, "early": 2],
      options: ["size": .number(0.35)]),
    UnitPreset(
      "hall", "A concert hall with warm bass.",
      ["decay": 2.1, "preDelay": 0.025, "damping": 5000, "lowDecay": 1.2]),
    UnitPreset(
      "large hall", "A large hall, heard from far back.",
      ["decay": 3.2, "preDelay": 0.035, "damping": 4000, "lowDecay": 1.2, "early": -4],
      options: ["size": .number(1.4)]),
    UnitPreset(
      "cathedral", "Stone, far walls and a long, dark tail.",
      [
        "decay": 5.5, "preDelay": 0.045, "damping": 3000, "lowDecay": 1.3, "crossover": 350,
        "early": -8,
      ], options: ["size": .number(2)]),
    UnitPreset(
      "ambience", "The first reflections of a small room and little behind them.",
      ["decay": 0.35, "preDelay": 0, "damping": 6000, "lowCut": 150, "early": 6],
      options: ["size": .number(0.25)]),
  ]
}
