// Who imports this module renders units by themselves too.
@_exported public import FxUnitRendering
