#!/bin/bash
# Wrong in one point: an arrival on the next day is a day of 24 hours later, also in the night when the clocks change.
set -euo pipefail
python3 "$(dirname "$0")/timetable.py" /workspace/data/timetable.csv /workspace/out/timetable-utc.csv
