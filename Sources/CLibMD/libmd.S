#include "functions.inc"

library "libmd.so.0"
function SHA256Final
function SHA256Init
function SHA256Update
end_library
