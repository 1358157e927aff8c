#include "functions.inc"

library "libserd-0.so.0"
function serd_reader_free
function serd_reader_read_file_handle
function serd_reader_set_error_sink
// The program itself defines `serd_reader_new`, which lilv calls.
function fx_serd_reader_new, serd_reader_new
end_library
