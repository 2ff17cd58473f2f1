#pragma once
// Pliant: load a model, compile it, move it, ask about it. This header is all of it.

#include "pliant/analysis.h"
#include "pliant/changed_since.h"
#include "pliant/load.h"
#include "pliant/mimic.h"
#include "pliant/model.h"
#include "pliant/place.h"
#include "pliant/query.h"
#include "pliant/recording.h"
#include "pliant/spec.h"
#include "pliant/state.h"
#include "pliant/state_vector.h"
#include "pliant/step.h"
#include "pliant/write.h"
