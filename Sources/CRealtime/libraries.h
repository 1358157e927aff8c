// Which plugin the code at an address came with.
#pragma once

#include "crash.h"

/// False while nobody asks for reports of crashes.
int fx_crash_is_reporting(void);

/// The plugin whose code has crashed on a thread that is not known for a plugin's: by the instruction,
/// and where nobody knows whose thread it is by what is on its stack. NULL for none. Takes a signal
/// handler's context.
const struct fx_plugin_place *fx_place_of_crash(const void *context);
