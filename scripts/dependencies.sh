# The Debian 12 packages for building, testing and running fxrun. Sourced by the other scripts.

build_packages=(liblilv-dev lv2-dev libasound2-dev libmp3lame-dev libmpg123-dev libsndfile1-dev libsoxr-dev
  libflac-dev libvorbis-dev
  libopusfile-dev libebur128-dev libspeexdsp-dev libmysofa-dev libtag1-dev libpng-dev libmd-dev libcurl4-openssl-dev libxxhash-dev libyaml-dev zlib1g-dev pkg-config)

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

require_swift() {
  command -v swift >/dev/null ||
    fail "No Swift toolchain on the PATH: install Swift 6.3 or newer from https://www.swift.org/install and try again."
  local version
  version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
  [ "$(printf '%s\n' 6.3 "${version:-0}" | sort -V | head -n 1)" = 6.3 ] ||
    fail "Swift ${version:-of an unknown version} is too old: fxrun needs Swift 6.3 or newer (https://www.swift.org/install)."
}

# Installs the given Debian packages that are missing.
require_packages() {
  local missing=() package
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  command -v apt-get >/dev/null || fail "These packages are missing and there is no apt-get to install them: ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "These packages are missing; install them as root: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  echo "Installing ${missing[*]}"
  { "${as_root[@]}" apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}"; } \
    >/dev/null || fail "apt-get could not install: ${missing[*]}. Install them by hand and try again."
}

# The build folder: FXRUN_BUILD_PATH, or .build in the checkout.
build_path=${FXRUN_BUILD_PATH:-.build}
swift_build=(swift build --scratch-path "$build_path")
# Without a RUNPATH: the binary finds libraries where the system has them.
release_flags=(-c release --static-swift-stdlib --disable-local-rpath)
# The same bytes in every checkout with its own .build: debug information names files relative to the checkout, and
# no module cache; objects have no hash of the compiler's options, which have these names.
for prefix in "$(pwd -P)=." "$(mkdir -p "$build_path" && cd "$build_path" && pwd -P)=./.build"; do
  release_flags+=(-Xswiftc -file-prefix-map -Xswiftc "$prefix"
    -Xcc "-ffile-prefix-map=$prefix" -Xcxx "-ffile-prefix-map=$prefix")
done
for flag in -no-clang-module-breadcrumbs -disable-incremental-llvm-codegen; do
  release_flags+=(-Xswiftc -Xfrontend -Xswiftc "$flag")
done
