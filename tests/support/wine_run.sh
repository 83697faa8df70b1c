#!/bin/sh
# wine_run.sh PREFIX PROGRAM [ARGUMENTS]: runs a Windows program in Wine. COWORK_TERMINAL_WINEPREFIX, if set, is used instead
# of PREFIX, so that several build folders share one (694 MB). It is made at the first use.
set -eu
WINEPREFIX=${COWORK_TERMINAL_WINEPREFIX:-$1}
shift
# No debugger window, no browser engine, no menu entries.
WINEDEBUG=-all WINEDLLOVERRIDES="winedbg.exe=;mshtml=;winemenubuilder.exe="
export WINEPREFIX WINEDEBUG WINEDLLOVERRIDES
unset DISPLAY WAYLAND_DISPLAY
# File names and arguments cross this border in the locale of the system.
export LC_ALL=C.UTF-8

# Debian installs the programs without a link in PATH.
find_wine() {
  for found in "$1" "/usr/lib/wine/$1" "/usr/lib/wine/${1%64}"; do
    if command -v "$found"; then return; fi
  done
  echo "$1 was not found: install wine64" >&2
  exit 1
}
wine=$(find_wine wine64)

mkdir -p "$WINEPREFIX"
# One server for all tests: its start takes seconds, and it stays for 60 s after the last program, which a server that Wine
# starts by itself does not. The first program starts the services, which keep its streams open as long: neither those that
# somebody reads to their end, nor the lock. (The registry's file says nothing: the server writes it when it likes.)
quietly() { "$@" </dev/null >/dev/null 2>&1 9>&-; }
(
  flock 9
  quietly "$(find_wine wineserver)" -p60 || true
  if [ ! -f "$WINEPREFIX/.complete" ]; then
    quietly "$wine" wineboot --init
    : >"$WINEPREFIX/.complete"
  fi
  quietly "$wine" cmd /c rem
) 9>"$WINEPREFIX/.lock"

exec "$wine" "$@"
