#include "functions.inc"

library "libz.so.1"
function inflate
function inflateEnd
function inflateInit_
end_library
