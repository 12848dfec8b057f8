#!/usr/bin/env bash
# Runs hot2tf check. Its exit status is that of the step: 1 if a template has errors.
set -euo pipefail
arguments=()
while IFS= read -r line; do [ -z "$line" ] || arguments+=("$line"); done <<<"${HOT2TF_ARGUMENTS:-}"
paths=()
while IFS= read -r line; do [ -z "$line" ] || paths+=("$line"); done <<<"${HOT2TF_PATHS:-.}"
command=("$RUNNER_TEMP/hot2tf/bin/hot2tf" check --diagnostics "$HOT2TF_FORMAT")
case "$HOT2TF_FORMAT" in
  github)
    "${command[@]}" ${arguments[@]+"${arguments[@]}"} -- "${paths[@]}"
    ;;
  sarif)
    echo "sarif-file=$HOT2TF_SARIF_FILE" >>"$GITHUB_OUTPUT"
    "${command[@]}" ${arguments[@]+"${arguments[@]}"} -- "${paths[@]}" >"$HOT2TF_SARIF_FILE"
    ;;
  *)
    echo "The input format of the action is github or sarif, not $HOT2TF_FORMAT." >&2
    exit 2
    ;;
esac
