#!/bin/sh
# sh cmake/bootstrap.sh run    installs what is missing, builds the release and shows it at work
# sh cmake/bootstrap.sh test   installs what is missing, builds and runs the tests
#
# Debian 12 and 13, Ubuntu 24.04 and newer, Fedora, Arch, macOS with Homebrew.
set -eu

cd "$(dirname "$0")/.."
SOURCE=$(pwd)

say() { printf '%s\n' "$*"; }
step() { printf '\n== %s\n' "$*"; }
fail() { printf 'bootstrap: %s\n' "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# at_least 3.25 3.31.6: is the second version not older than the first?
at_least() {
  [ "$(printf '%s\n%s\n' "$1" "$2" | sort -t. -k1,1n -k2,2n -k3,3n | head -n 1)" = "$1" ]
}

cmake_is_new_enough() {
  have cmake && at_least 3.25 "$(cmake --version | sed -n '1s/.* //p')"
}

detect_system() {
  if [ "$(uname -s)" = Darwin ]; then SYSTEM=macos; return; fi
  [ -r /etc/os-release ] || fail "this system is unknown (no /etc/os-release); see README.md for what the build needs"
  ID='' ID_LIKE='' VERSION_ID=''
  # shellcheck disable=SC1091
  . /etc/os-release
  case " $ID $ID_LIKE " in
    *" debian "* | *" ubuntu "*) SYSTEM=apt ;;
    *" fedora "*) SYSTEM=fedora ;;
    *" arch "*) SYSTEM=arch ;;
    *) fail "'$ID' is not a system this script knows; see README.md for what the build needs" ;;
  esac
}

# The names of the packages that lack something, one after another in MISSING.
need_tool() { have "$1" || MISSING="$MISSING $2"; }
need_package() { package_is_installed "$1" || MISSING="$MISSING $1"; }
need_common_tools() {
  cmake_is_new_enough || MISSING="$MISSING cmake"
  need_tool ninja "$1"
  need_tool git git
  need_tool bash bash
  need_tool ccache ccache
}

package_is_installed() {
  case $SYSTEM in
    apt) [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ] ;;
    fedora) rpm -q --quiet "$1" ;;
    arch) pacman -Q "$1" >/dev/null 2>&1 ;;
    macos) brew list --versions "$1" >/dev/null 2>&1 ;;
  esac
}

# Debian 12's libboost-dev is 1.74, before Boost.Process v2; newer systems' is what is needed.
need_boost_from_apt() {
  version=$(installed_packages 'libboost1.*-dev' | sed -n 's/^libboost\(1\.[0-9]*\)-dev$/\1/p' | tail -n 1)
  if [ -n "$version" ] && at_least 1.81 "$version" && boost_process_is_available "$version"; then
    need_boost_process "$version"
  elif [ "$ID" = debian ] && [ "${VERSION_ID%%.*}" = 12 ]; then
    MISSING="$MISSING libboost1.81-dev"
  else
    MISSING="$MISSING libboost-dev"
    # Empty while the system has no package lists yet; install_missing looks again when it has.
    version=$(apt-cache policy libboost-dev | sed -n 's/.*Candidate: \([0-9]*\.[0-9]*\).*/\1/p')
    if [ -n "$version" ]; then need_boost_process "$version"; fi
  fi
}

# From 1.86 on Boost.Process is a compiled library. Debian 13 has a Boost 1.88 without it, beside its usual 1.83.
need_boost_process() {
  if at_least 1.86 "$1"; then need_package "libboost-process$1-dev"; fi
}

boost_process_is_available() {
  ! at_least 1.86 "$1" || apt-cache show "libboost-process$1-dev" >/dev/null 2>&1
}

installed_packages() {
  dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$1" 2>/dev/null | sed -n 's/^installed //p'
}

find_missing() {
  MISSING=''
  case $SYSTEM in
    apt)
      need_common_tools ninja-build
      need_tool g++ g++
      need_boost_from_apt
      for package in nlohmann-json3-dev libspdlog-dev catch2 libcli11-dev; do need_package "$package"; done
      ;;
    fedora)
      need_common_tools ninja-build
      need_tool g++ gcc-c++
      for package in boost-devel boost-static glibc-static libstdc++-static json-devel spdlog-devel fmt-devel \
        catch-devel cli11-devel; do need_package "$package"; done
      ;;
    arch)
      need_common_tools ninja
      need_tool g++ gcc
      for package in boost nlohmann-json spdlog fmt catch2 cli11; do need_package "$package"; done
      ;;
    macos)
      have brew || fail "Homebrew is missing: https://brew.sh"
      xcode-select -p >/dev/null 2>&1 || fail "the compiler is missing: run  xcode-select --install"
      need_common_tools ninja
      for package in boost nlohmann-json spdlog fmt catch2 cli11; do need_package "$package"; done
      ;;
  esac
  MISSING=${MISSING# }
}

install_command() {
  case $SYSTEM in
    apt) say "apt-get install -y --no-install-recommends $MISSING" ;;
    fedora) say "dnf install -y $MISSING" ;;
    arch) say "pacman -Syu --needed --noconfirm $MISSING" ;;
    macos) say "brew install $MISSING" ;;
  esac
}

leave_to_administrator() {
  update=''
  if [ "$SYSTEM" = apt ]; then update='apt-get update && '; fi
  say "$1 Ask the administrator to run this line as root, then start again:"
  say ""
  say "  $update$(install_command)"
  exit 1
}

# As root, by sudo when not root.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

say_what_boost_replaces() {
  case " $MISSING " in
    *" libboost1.81-dev "* | *" libboost-dev "*)
      replaced=$(installed_packages 'libboost*-dev' | tr '\n' ' ')
      if [ -n "$replaced" ]; then say "Another Boost that is installed will be replaced: $replaced"; fi
      ;;
  esac
}

install_missing() {
  detect_system
  find_missing
  if [ -z "$MISSING" ]; then
    say "Everything that the build needs is installed."
    return
  fi
  step "Packages to install: $MISSING"
  if [ "$SYSTEM" = apt ]; then say_what_boost_replaces; fi
  if [ "$SYSTEM" != macos ] && [ "$(id -u)" != 0 ]; then
    have sudo || leave_to_administrator "They need root, and there is no sudo here."
    sudo -n true 2>/dev/null || sudo -v || leave_to_administrator "They need root, and sudo refused."
  fi
  if [ "$SYSTEM" = apt ]; then
    as_root apt-get update -q
    find_missing
  fi
  step "$(install_command)"
  # shellcheck disable=SC2046 # words, on purpose
  case $SYSTEM in
    apt) as_root env DEBIAN_FRONTEND=noninteractive $(install_command) ;;
    macos) env $(install_command) ;;
    *) as_root $(install_command) ;;
  esac
  hash -r
  cmake_is_new_enough || fail "cmake 3.25 or newer is needed, the package is $(cmake --version | head -n 1)"
}

# A folder that the compiler cache cannot write to would fail every compilation.
spare_ccache_without_home() {
  if [ ! -w "${HOME:-/nonexistent}" ] && [ -z "${CCACHE_DIR:-}" ]; then export CCACHE_DISABLE=1; fi
}

# ---- run: one real exchange, each line as it goes over the pipes ----

end_exchange() {
  trap - EXIT
  kill "$server" "$watchdog" 2>/dev/null || true
  rm -rf "$scratch"
}

tell() {
  say "→ $1"
  printf '%s\n' "$1" >&3 || fail "the server is gone: $(cat "$scratch/log")"
}

# Sends a request and leaves the answer in ANSWER.
ask() {
  tell "$1"
  IFS= read -r ANSWER <&4 || fail "the server ended without an answer: $(cat "$scratch/log")"
  say "$ANSWER" | awk '{ print "← " (length($0) > 300 ? substr($0, 1, 300) " …" : $0) }'
  say ""
}

# The string member of that name in the answer, without JSON's escapes.
json_string() {
  printf '%s\n' "$ANSWER" | awk -v key="\"$1\":\"" '{
    rest = substr($0, index($0, key) + length(key))
    for (i = 1; i <= length(rest) && (c = substr(rest, i, 1)) != "\""; i++) {
      if (c == "\\") {
        c = substr(rest, ++i, 1)
        if (c == "n") c = "\n"
        else if (c == "t") c = "\t"
        else if (c == "r") c = "\r"
        else if (c == "u") c = "\\u"
      }
      printf "%s", c
    }
  }'
}

show_exchange() {
  scratch=$(mktemp -d)
  mkfifo "$scratch/in" "$scratch/out"
  "$BINARY" --log-level warn <"$scratch/in" >"$scratch/out" 2>"$scratch/log" &
  server=$!
  (sleep 60 & nap=$!; trap 'kill "$nap"; exit' TERM; wait "$nap"; kill "$server") >/dev/null 2>&1 &
  watchdog=$!
  trap end_exchange EXIT
  trap 'exit 1' INT TERM
  trap '' PIPE
  exec 3>"$scratch/in" 4<"$scratch/out"

  ask '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bootstrap","version":"1"}}}'
  tell '{"jsonrpc":"2.0","method":"notifications/initialized"}'
  say ""
  ask '{"jsonrpc":"2.0","id":2,"method":"tools/list"}'
  case $ANSWER in *'"name":"execute_command"'*) ;; *) fail "tools/list does not hold execute_command" ;; esac
  ask '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"execute_command","arguments":{"command":"uname -a; git --version"}}}'
  case $ANSWER in *'"exitCode":0'*) ;; *) fail "the command did not end with exit code 0" ;; esac
  say "The command printed:"
  json_string stdout

  exec 3>&-
  if IFS= read -r ANSWER <&4; then fail "unexpected line after the end of input: $ANSWER"; fi
  wait "$server" || fail "the server ended with exit code $?: $(cat "$scratch/log")"
  end_exchange
  exec 4<&-
}

show_registration() {
  step "The program"
  cat <<END
$BINARY

Claude Desktop, also for Cowork: in claude_desktop_config.json (Settings, Developer, Edit Config), then restart it:

  {
    "mcpServers": {
      "cowork-terminal": { "command": "$BINARY", "args": ["--max-wait", "45000"] }
    }
  }

Claude Code:

  claude mcp add cowork-terminal -s user -- $BINARY

Or let it write these entries itself:  $BINARY install --client claude-desktop  (or claude-code)
END
}

run() {
  install_missing
  spare_ccache_without_home
  step "Building the release"
  cmake --preset release
  cmake --build --preset release --target cowork-terminal-mcp
  BINARY=$SOURCE/build/release/cowork-terminal-mcp
  step "One MCP exchange with $BINARY"
  show_exchange
  show_registration
}

# ---- test: every suite whose tools are here; one that fails does not keep the next from running ----

PASSED='' SKIPPED='' FAILED=''

# suite NAME COMMAND...
suite() {
  name=$1
  shift
  step "$name"
  if "$@"; then PASSED="$PASSED
  passed:  $name"; else FAILED="$FAILED
  FAILED:  $name"; fi
}

skip() {
  SKIPPED="$SKIPPED
  skipped: $1: $2"
}

# In CI nothing may be missing.
test_clients() {
  cmake --build --preset dev --target mcpb || return 1
  node tests/clients/run.mjs --server build/dev/cowork-terminal-mcp --fixture build/dev/tests/support/fixture_server \
    --bundle build/dev/cowork-terminal-mcp-*.mcpb ${CI:+--demand}
}

# Why the Windows program cannot be tested here; nothing if it can. Debian installs Wine without a link in PATH.
missing_for_windows() {
  if ! have x86_64-w64-mingw32-g++ && ! have x86_64-w64-mingw32-g++-posix; then
    say "the cross compiler is not installed (Debian: g++-mingw-w64-x86-64-posix)"
  elif ! have wine64 && [ ! -x /usr/lib/wine/wine64 ]; then
    say "wine64 is not installed"
  elif [ ! -f /usr/include/catch2/catch.hpp ] && [ ! -f /usr/local/include/catch2/catch.hpp ]; then
    say "Catch2 3 cannot be cross built without its sources, only Catch2 2 is headers alone"
  fi
}

run_tests() {
  install_missing
  spare_ccache_without_home
  suite "C++ tests (preset dev)" cmake --workflow --preset dev

  if ! have node || ! have npm; then skip "client suites (tests/clients)" "Node.js with npm is not installed"
  else suite "client suites (tests/clients)" test_clients; fi

  missing=$(missing_for_windows)
  if [ -n "$missing" ]; then skip "Windows program in Wine" "$missing"
  else suite "Windows program in Wine (preset windows)" cmake --workflow --preset windows; fi

  step "Suites$PASSED$SKIPPED$FAILED"
  [ -z "$FAILED" ]
}

case ${1:-} in
  run) run ;;
  test) run_tests ;;
  *) fail "usage: sh cmake/bootstrap.sh run | test" ;;
esac
