#include "functions.inc"

library "libmpg123.so.0"
function mpg123_decode_frame
function mpg123_delete
function mpg123_feed
function mpg123_format
function mpg123_format_none
function mpg123_init
function mpg123_new
function mpg123_open_feed
function mpg123_param2
function mpg123_plain_strerror
function mpg123_strerror
end_library
