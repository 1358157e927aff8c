#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sha256.h>
