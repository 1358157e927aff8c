import FxLV2

/// What whoever calls `_exit` in this program calls, plugins included: one that ends the program this
/// way is named. On any thread.
@c(_exit) public func fxrunExit(_ status: Int32) { LV2Crashes.exit(status) }

/// The same for the name that C has for it.
@c(_Exit) public func fxrunExitOfC(_ status: Int32) { LV2Crashes.exit(status) }
