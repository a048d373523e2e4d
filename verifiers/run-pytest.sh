#!/bin/sh
# Runs the tests of a task with the pinned pytest of this bundle. The interpreter comes from fixed places: what PATH
# says may be the agent's word.
set -eu
bundle=/opt/skillpair/verifier
for python in /usr/local/bin/python3 /usr/bin/python3; do
  if [ -x "$python" ]; then
    exec "$python" -I -S -B "$bundle/run_pytest.py"
  fi
done
echo 'skillpair: no /usr/local/bin/python3 and no /usr/bin/python3 in this image: install python3 in its Dockerfile' >&2
exit 127
