// A library that does not hold the plugin that its description promises.
#include "../plugin.h"

PLUGIN("urn:fxrun:test:another", NULL, NULL, NULL, NULL)
