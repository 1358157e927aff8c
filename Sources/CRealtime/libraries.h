// Finds the plugin that the code at an address came with.
#pragma once

#include "crash.h"

/// False unless crash reports are enabled.
int fx_crash_is_reporting(void);

/// The plugin whose code has crashed on a thread that is not recorded as a plugin's: by the
/// instruction's address. On a thread with an unknown owner, also by the addresses on its stack.
/// NULL for none. Takes a signal handler's context.
const struct fx_plugin_place *fx_place_of_crash(const void *context);
