import FxRun
import MyUnits

// All of fxrun's commands, with two more units.
FxRun.main(units: [Hold.self, Balance.self])
