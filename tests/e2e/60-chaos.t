#!/bin/bash
# A short run of `make chaos`: everything that it breaks is broken once or twice.
export LOADLINE_CHAOS_SECONDS=${LOADLINE_CHAOS_SECONDS:-40} LOADLINE_CHAOS_KILLS=${LOADLINE_CHAOS_KILLS:-20}
exec "$(dirname "$0")/../chaos/chaos.t"
