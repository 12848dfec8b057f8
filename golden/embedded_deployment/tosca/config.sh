#!/bin/sh
echo "$foo" > $heat_outputs_path.result
