import FxRun
import MyUnits

// All of fxrun's commands, with three more units.
FxRun.main(units: [Hold.self, Balance.self, Click.self])
