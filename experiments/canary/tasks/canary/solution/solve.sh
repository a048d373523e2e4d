#!/bin/sh
set -eu
mkdir -p /workspace/out
echo ready > /workspace/out/state.txt
