// Where opusfile.h looks for it.
#include <opus/opus_multistream.h>
