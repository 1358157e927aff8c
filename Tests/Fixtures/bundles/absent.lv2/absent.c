// A library without the plugin in its description.
#include "../plugin.h"

PLUGIN("urn:fxrun:test:another", NULL, NULL, NULL, NULL)
