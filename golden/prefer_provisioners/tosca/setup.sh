#!/bin/bash
set -e
printf '%s\n' "$greeting" >/etc/motd
