#!/usr/bin/env bash
# Takes wordtray off this Raspberry Pi; what it kept (rounds, photos, settings) stays.
#   sudo systemd/uninstall.sh            the service, its versions, its lines in config.txt
#   sudo systemd/uninstall.sh --purge    also what it kept: /var/lib/wordtray and /etc/wordtray
#   --root DIR                           from the system below DIR, which does not run
set -euo pipefail

here=$(readlink -f -- "${BASH_SOURCE[0]}")
here=${here%/*}
# shellcheck source=tools/setup.sh
source "$here/../tools/setup.sh"
# shellcheck source=systemd/shared.sh
source "$here/shared.sh"

purge=

usage() {
    sed -n '2,/^set /s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit "$1"
}

# Stopping drives every output off.
stop_service() {
    local name
    for name in "$kiosk_unit" "$unit"; do
        [[ -e $target/etc/systemd/system/$name ]] || continue
        if is_running; then systemctl stop "$name" || say "$name did not stop; going on"; fi
        systemctl ${target:+--root="$target"} disable --quiet "$name" || true
    done
}

# Of the version in use, and of the folder of this script: either may have more.
remove_files() {
    local tree file
    for tree in {"$(versions)/current/systemd","$here"}/{tray,kiosk}; do
        while read -r file; do rm -f -- "$target/$file"; done < <(files_of "$tree")
    done
    rm -f -- "$target/usr/local/bin/wordtray"
    rmdir --ignore-fail-on-non-empty -- "$target"/usr/local/lib/wordtray/{kiosk,} \
        "$target"/usr/local/share/icons/wordtray-hidden/{cursors,} 2>/dev/null || true
}

restore_boot_config() {
    local file kept
    file=$(boot_config) || return 0
    grep -qx -- "$boot_begin" "$file" || return 0
    kept=$(without_our_lines "$file")
    replace_file "$file" <<<"$kept"
    say "our lines are out of $file; it counts from the next start of the Pi"
}

remove_kept() {
    rm -rf -- "$target"/var/lib/wordtray{,-kiosk} "$target/etc/wordtray"
    [[ ! $target ]] || return 0
    userdel wordtray 2>/dev/null || true
    userdel wordtray-kiosk 2>/dev/null || true
}

while (($#)); do
    case $1 in
    --purge) purge=yes ;;
    --root)
        [[ ${2-} ]] || die "--root takes a folder"
        target=$(readlink -f -- "$2") || die "there is no folder $2"
        shift
        ;;
    -h | --help) usage 0 ;;
    *)
        say "there is no option $1"
        usage 2 >&2
        ;;
    esac
    shift
done

need_root
stop_service
remove_files
restore_boot_config
rm -rf -- "$(versions)"
if is_running; then systemctl daemon-reload; fi
if [[ $purge ]]; then
    remove_kept
    say "wordtray is gone, with all that it kept"
else
    say "wordtray is gone; what it kept is in /var/lib/wordtray and /etc/wordtray (--purge removes it)"
fi
