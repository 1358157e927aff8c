# What the Debian package, the tarball and the wheel have in common. Sourced after dependencies.sh by the scripts that make them.

# Packages that these scripts need besides those for building.
package_packages=(binutils dpkg-dev)

# Packages that bundle_libraries needs.
bundle_packages=(patchelf)

# The time of every file that is made: that of the last commit, so that the same commit gives the same bytes.
set_epoch() {
  if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
    SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null) ||
      fail "This is no git checkout: set SOURCE_DATE_EPOCH to the time of the release, in seconds since 1970."
  fi
  export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8 TZ=UTC
  umask 022
}

# 0.1.0 for a commit with the tag v0.1.0; for any other 0.1.0+20261128.043005.9c0ea5ebd1: the time in UTC and the name of the commit.
release_version() {
  local version
  version=$(sed -n 's/.*static let version = "\(.*\)".*/\1/p' Sources/FxAudio/System/Release.swift)
  [ -n "$version" ] || fail "Sources/FxAudio/System/Release.swift has no version."
  if git rev-parse -q --verify HEAD >/dev/null 2>&1 &&
    [ "$(git rev-parse -q --verify "v$version^{commit}" 2>/dev/null)" != "$(git rev-parse HEAD)" ]; then
    version+=+$(date -u -d "@$(git log -1 --format=%ct)" +%Y%m%d.%H%M%S).$(git rev-parse --short=10 HEAD)
  fi
  echo "$version"
}

# The program: a release build that FXRUN_BINARY names, or a new one.
require_program() {
  require_swift
  require_packages "${build_packages[@]}" "${package_packages[@]}" "$@"
  if [ -z "${FXRUN_BINARY:-}" ]; then
    "${swift_build[@]}" "${release_flags[@]}" --product fxrun >&2
    FXRUN_BINARY=$("${swift_build[@]}" "${release_flags[@]}" --show-bin-path)/fxrun
  fi
  case $("$FXRUN_BINARY" --version) in
  *"(release, "*) ;;
  *) fail "$FXRUN_BINARY is no release build." ;;
  esac
  if [[ $(readelf -d "$FXRUN_BINARY") == *libswift* ]]; then
    fail "$FXRUN_BINARY needs the Swift runtime: build it with --static-swift-stdlib."
  fi
  [ -z "$(git status --porcelain 2>/dev/null)" ] ||
    echo "note: this checkout has changes without a commit, and the package contains them" >&2
}

# stage_files FOLDER: installs everything in FOLDER, which has the layout of /usr.
stage_files() {
  local root=$1 chains=$1/share/fxrun/chains docs=$1/share/doc/fxrun document
  install -d "$root/bin"
  objcopy --strip-unneeded --remove-section=.comment --remove-section=.swift_ast "$FXRUN_BINARY" "$root/bin/fxrun"
  chmod 755 "$root/bin/fxrun"

  install -D -m 644 docs/man/fxrun.1 "$root/share/man/man1/fxrun.1"
  gzip -9n "$root/share/man/man1/fxrun.1"
  install -D -m 644 docs/completions/fxrun.bash "$root/share/bash-completion/completions/fxrun"
  install -D -m 644 docs/completions/_fxrun "$root/share/zsh/vendor-completions/_fxrun"
  install -D -m 644 docs/completions/fxrun.fish "$root/share/fish/vendor_completions.d/fxrun.fish"
  install -D -m 644 packaging/fxrun@.service "$root/lib/systemd/user/fxrun@.service"

  install -d "$root/share/fxrun/schema"
  "$root/bin/fxrun" schema >"$root/share/fxrun/schema/chain.schema.json"
  "$root/bin/fxrun" schema --test >"$root/share/fxrun/schema/test.schema.json"

  # The chains with their files, without the goldens.
  install -d "$chains/impulses" "$chains/models" "$chains/sounds"
  find chains -maxdepth 1 -name '*.json' ! -name '*.test.json' -exec install -m 644 -t "$chains" {} +
  install -m 644 chains/README.md "$chains"
  for document in impulses models sounds; do install -m 644 -t "$chains/$document" "chains/$document"/*; done

  scripts/build-plugins "$root/lib/lv2" >/dev/null

  # In the folders of the sources, so that their links lead to each other.
  install -D -m 644 -t "$docs" README.md
  install -D -m 644 -t "$docs/docs" docs/*.md
  for document in benchmarks examples import pictures plots tutorials; do
    install -D -m 644 -t "$docs/docs/$document" "docs/$document"/*
  done
  install -D -m 644 -t "$docs/plugins" plugins/README.md
  ln -s ../../fxrun/chains "$docs/chains"
}

# set_times FOLDER: gives everything in it the time of the release.
set_times() { find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +; }

# Libraries that every system has, as a part of a regular expression: the runtimes of C and C++, and zlib.
system_runtimes='ld-linux.*|libc|libm|libdl|libpthread|librt|libstdc\+\+|libgcc_s|libz'

# bundle_libraries FOLDER SYSTEM: copies the libraries that FOLDER/bin/fxrun needs into FOLDER/lib/fxrun, with their licenses,
# except those whose names match SYSTEM, and lets the program find them there. Fails if a file needs a newer system than
# Debian 12.
bundle_libraries() {
  local root=$1 system="^($2)\\.so" libraries=$1/lib/fxrun documents=$1/share/doc/fxrun
  local list file library path package pair found
  list=$(mktemp)
  mkdir -p "$libraries"
  local pending=("$root/bin/fxrun")
  while [ ${#pending[@]} -gt 0 ]; do
    file=${pending[0]}
    pending=("${pending[@]:1}")
    for library in $(readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -Ev "$system"); do
      [ ! -e "$libraries/$library" ] || continue
      # The first is that of this machine's architecture.
      path=$(/sbin/ldconfig -p | sed -n "s/^\t$library (.*x86-64.*) => //p; s/^\t$library (.*AArch64.*) => //p" | head -n 1)
      [ -n "$path" ] || fail "$library is needed and not installed."
      install -m 644 "$path" "$libraries/$library"
      pending+=("$libraries/$library")
      # The package has its license and says where the source is.
      package=$(dpkg-query -S "$(realpath "$path")" 2>/dev/null || dpkg-query -S "*$(basename "$(realpath "$path")")")
      package=${package%%:*}
      install -D -m 644 "/usr/share/doc/$package/copyright" "$documents/licenses/$package"
      dpkg-query -W -f "$library  \${source:Package} \${source:Version}\n" "$package" >>"$list"
    done
  done
  patchelf --set-rpath '$ORIGIN/../lib/fxrun' "$root/bin/fxrun"
  for file in "$libraries"/*; do patchelf --set-rpath '$ORIGIN' "$file"; done

  for pair in GLIBC:2.36 GLIBCXX:3.4.30 CXXABI:1.3.13 GOMP:4.5; do
    found=$(objdump -T "$root/bin/fxrun" "$libraries"/* | grep -F '*UND*' | grep -o "${pair%:*}_[0-9.]*" | sort -uV | tail -n 1)
    [ "$(printf '%s\n' "${pair%:*}_${pair#*:}" "$found" | sort -V | tail -n 1)" = "${pair%:*}_${pair#*:}" ] ||
      fail "The program or a library needs $found: build on Debian 12."
  done
  {
    cat <<'EOF'
The libraries in lib/fxrun are those of Debian 12, with another search path and no other change. Each is replaced by
putting another file of its name in its place. The folder licenses has the license of each. Debian has their sources:
apt-get source PACKAGE=VERSION, or https://snapshot.debian.org/package/PACKAGE/VERSION/

EOF
    sort "$list"
  } >"$documents/LIBRARIES"
  rm -f "$list"
}
