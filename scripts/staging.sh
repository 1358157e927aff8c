# What the Debian package and the tarball have in common. Sourced after dependencies.sh by the scripts that make them.

# Packages that these scripts need besides those for building.
package_packages=(binutils dpkg-dev)

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
  for document in benchmarks examples pictures plots tutorials; do
    install -D -m 644 -t "$docs/docs/$document" "docs/$document"/*
  done
  install -D -m 644 -t "$docs/plugins" plugins/README.md
  ln -s ../../fxrun/chains "$docs/chains"
}

# set_times FOLDER: gives everything in it the time of the release.
set_times() { find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +; }
