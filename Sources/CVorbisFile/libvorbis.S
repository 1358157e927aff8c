#include "functions.inc"

library "libvorbis.so.0"
function vorbis_comment_clear
function vorbis_comment_init
function vorbis_info_clear
function vorbis_info_init
function vorbis_packet_blocksize
function vorbis_synthesis_headerin
end_library
