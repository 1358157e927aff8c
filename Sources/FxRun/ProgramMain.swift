public import FxKit

/// Runs fxrun as this program, with units of your own, and ends the process.
///
/// The program's whole source:
///
///     import FxRun
///     import MyUnits
///
///     FxRun.main(units: [Hold.self, Crush.self])
///
/// All commands know the units: `myplayer chain.json talk.mp3`, `myplayer units hold`, `myplayer plot hold`.
///
/// - Parameter units: the units that chains may name besides the built-in ones.
public func main(units: UnitSet = []) -> Never {
  UnitSet.addToProgram(units)
  RootCommand.perform()
}
