#include "functions.inc"

library "libsndfile.so.1"
function sf_close
function sf_command
function sf_error
function sf_error_number
function sf_format_check
function sf_open_virtual
function sf_read_raw
function sf_readf_float
function sf_seek
function sf_set_string
function sf_strerror
function sf_writef_double
function sf_writef_float
function sf_writef_int
function sf_writef_short
end_library
