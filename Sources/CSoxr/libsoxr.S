#include "functions.inc"

library "libsoxr.so.0", now
function soxr_clear
function soxr_create
function soxr_delete
function soxr_io_spec
function soxr_process
function soxr_quality_spec
function soxr_set_io_ratio
end_library
