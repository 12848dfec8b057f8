"""The shell functions of the script that replaces cfn-init.

Invariant: each runs in any POSIX shell, shellcheck finds nothing in it, and it prints the steps that failed.
"""

from __future__ import annotations

FUNCTIONS = {  # those that a script calls are written above the steps
    "say": """\
say() { echo "cfn-init: $1" >&2; }
""",
    "with_yum": """\
command -v yum > /dev/null || yum() { dnf "$@"; }
with_yum() { # PACKAGE...
  for package; do
    rpm -q "$package" > /dev/null || yum -y install "$package" || say "$package is not installed"
  done
}
""",
    "with_dnf": """\
with_dnf() { # PACKAGE...
  for package; do
    rpm -q "$package" > /dev/null || dnf -y --best install "$package" || say "$package is not installed"
  done
}
""",
    "with_zypper": """\
with_zypper() { # PACKAGE...
  for package; do
    rpm -q "$package" > /dev/null || zypper -n install "$package" || say "$package is not installed"
  done
}
""",
    "with_dpkg": """\
with_dpkg() { # URL
  archive=$(mktemp)
  { curl -sSL -o "$archive" "$1" && dpkg -i "$archive"; } || say "$1 is not installed"
  rm "$archive"
}
""",
    "with_pip": """\
with_pip() { # PACKAGE
  if command -v easy_install > /dev/null; then easy_install "$1"; else python3 -m pip install "$1"; fi
}
""",
    "unpack": """\
unpack() ( # URL DIRECTORY
  mkdir -p "$2"
  cd "$2" || exit 1
  case $1 in
    *.tgz | *.tar.gz | http*github.com/*/tarball/*) curl -sSL "$1" | tar -xzf - ;;
    *.tbz2 | *.tar.bz2) curl -sSL "$1" | tar -xjf - ;;
    *.tar) curl -sSL "$1" | tar -xf - ;;
    *.zip | http*github.com/*/zipball/*)
      archive=$(mktemp)
      curl -sSL -o "$archive" "$1" && unzip -o "$archive"
      rm "$archive"
      ;;
    *.gz) curl -sSL "$1" | gunzip > "$(basename "$1" .gz)" ;;
    *.bz2) curl -sSL "$1" | bunzip2 > "$(basename "$1" .bz2)" ;;
    *) say "$1 is no archive" ;;
  esac
)
""",
    "place": """\
place() { # PATH MODE OWNER GROUP, from the staged copy
  mkdir -p "$(dirname "$1")"
  cat "$staged$1" > "$1"
  own "$@"
}
""",
    "fetch": """\
fetch() { # PATH MODE OWNER GROUP URL
  mkdir -p "$(dirname "$1")"
  curl -sSL -o "$1" "$5" || say "$5 cannot be read"
  [ -e "$1" ] || exit 1
  own "$@"
}
""",
    "own": """\
own() { # PATH MODE OWNER GROUP
  if [ "$3" ]; then chown "$3" "$1" || say "the owner of $1 is not $3"; fi
  if [ "$4" ]; then chgrp "$4" "$1" || say "the group of $1 is not $4"; fi
  if [ "$2" ]; then chmod "$2" "$1"; fi
}
""",
    "systemctl": """\
command -v systemctl > /dev/null || systemctl() { # a system without systemd
  case $1 in
    enable) chkconfig "${2%.service}" on || update-rc.d "${2%.service}" enable ;;
    disable) chkconfig "${2%.service}" off || update-rc.d "${2%.service}" disable ;;
    *) service "${2%.service}" "$1" ;;
  esac
}
""",
}
NEEDS = {"place": "own", "fetch": "own"}  # function → the one that it calls
CHOICE = """\
sets=default
while [ $# -gt 0 ]; do
  case $1 in
    -c | --configsets)
      sets=${2-}
      shift
      ;;
    --configsets=*) sets=${1#*=} ;;
  esac
  shift
done
"""
