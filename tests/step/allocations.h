#pragma once

/// How often the test program has allocated memory.
long allocation_count();
