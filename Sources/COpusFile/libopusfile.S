#include "functions.inc"

library "libopusfile.so.0"
function op_channel_count
function op_free
function op_head
function op_open_callbacks
function op_pcm_seek
function op_pcm_tell
function op_pcm_total
function op_read_float
function op_seekable
end_library
