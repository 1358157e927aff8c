// opusfile.h includes this header without its folder.
#include <opus/opus_multistream.h>
