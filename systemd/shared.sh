# shellcheck shell=bash
# Shared by install.sh and uninstall.sh, which source it after tools/setup.sh: where things lie.
#
#   /opt/wordtray/VERSION   a version: its source, its venv, and `complete`, which is made last
#   /opt/wordtray/current   link to the version in use, switched in one rename
#   /opt/wordtray/previous  link to the one before
#
# The folders tray and kiosk beside this file lie as their files do in the system.

target= # folder of the system installed into; empty for the one that runs

# shellcheck disable=SC2034 # used by those that source this
readonly unit=wordtray.service kiosk_unit=wordtray-kiosk.service
readonly boot_begin='# wordtray: begin' boot_end='# wordtray: end'

need_root() {
    ((EUID == 0)) || [[ $target ]] || die "this changes the system: start it with sudo"
}

versions() { printf '%s\n' "$target/opt/wordtray"; }

# False in a chroot, in an image and where systemd is not process 1.
is_running() { [[ -d $target/run/systemd/system ]]; }

# Paths of the files of a tree, such as etc/sysusers.d/wordtray.conf.
files_of() { (cd -- "$1" 2>/dev/null && find . ! -type d -printf '%P\n' | sort); }

has_kiosk() { [[ -e $target/etc/systemd/system/$kiosk_unit ]]; }

boot_config() {
    local file
    for file in "$target"/boot/firmware/config.txt "$target"/boot/config.txt; do
        if [[ -e $file ]]; then
            printf '%s\n' "$file"
            return
        fi
    done
    return 1
}

# Writes standard input as the file, in one rename: a plug that is pulled leaves one or the other.
replace_file() {
    cat >"$1.new" && sync -- "$1.new" && mv -f -- "$1.new" "$1"
}

without_our_lines() { sed "/^$boot_begin\$/,/^$boot_end\$/d" -- "$1"; }
