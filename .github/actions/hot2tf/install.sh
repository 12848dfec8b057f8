#!/usr/bin/env bash
# Installs hot2tf in a virtual environment of its own. Inputs of the action come as variables, never as text of a script.
set -euo pipefail
requirement=${HOT2TF_REQUIREMENT:-$GITHUB_ACTION_PATH/../../..}
"${HOT2TF_PYTHON:-python3}" -m venv "$RUNNER_TEMP/hot2tf"
"$RUNNER_TEMP/hot2tf/bin/python" -m pip install --quiet --disable-pip-version-check -- "$requirement"
"$RUNNER_TEMP/hot2tf/bin/hot2tf" --version
