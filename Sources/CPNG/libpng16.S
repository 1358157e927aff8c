#include "functions.inc"

library "libpng16.so.16"
function png_image_free
function png_image_write_to_memory
end_library
