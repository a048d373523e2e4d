#!/bin/bash
# Wrong in one point: every state is measured against the last seat given, also the state that holds that seat itself.
set -euo pipefail
python3 "$(dirname "$0")/apportion.py" /workspace/data/state-populations.csv /workspace/out/seats.csv
