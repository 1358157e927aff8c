#include "functions.inc"

library "libxxhash.so.0"
function XXH3_128bits_digest
function XXH3_128bits_reset
function XXH3_128bits_update
function XXH3_64bits
function XXH3_createState
function XXH3_freeState
end_library
