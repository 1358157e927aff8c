#include "functions.inc"

library "libvorbisfile.so.3"
function ov_clear
function ov_info
function ov_open_callbacks
function ov_pcm_seek
function ov_pcm_tell
function ov_pcm_total
function ov_read_float
function ov_seekable
end_library
