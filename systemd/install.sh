#!/usr/bin/env bash
# Installs wordtray on a Raspberry Pi as a service that starts with it.
#   sudo systemd/install.sh                          install what is in this folder, or upgrade to it
#   sudo systemd/install.sh --roll-back [VERSION]    go back to the version before, or to this one
#   sudo systemd/install.sh --list                   the versions that are here
#   sudo systemd/install.sh --update SHA256          install the release that the pages have laid ready,
#                                                    if it is the one with this digest
# With an installation or an upgrade:
#   --kiosk            the big display too: labwc and Chromium
#   --no-boot-config   leave config.txt alone
#   --root DIR         into the system below DIR, which does not run: no packages, nothing started
set -euo pipefail

here=$(readlink -f -- "${BASH_SOURCE[0]}")
here=${here%/*}
# shellcheck source=tools/setup.sh
source "$here/../tools/setup.sh"
# shellcheck source=systemd/shared.sh
source "$here/shared.sh"

root=${here%/*}
system_python=${WORDTRAY_PYTHON:-/usr/bin/python3} # the one that sees apt's picamera2 and lgpio
kiosk=
boot_wanted=yes

readonly parts=(firmware_host hardware scoring vision systemd tools docs
    pyproject.toml setup.py MANIFEST.in README.md LICENSE CHANGES.md)
readonly pi_packages=(python3-picamera2 python3-lgpio python3-spidev)
readonly word_packages=(wordnet-base scowl) # what words mean, and how common they are
readonly kiosk_packages=(labwc chromium)

usage() {
    sed -n '2,/^set /s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit "$1"
}

# ---- packages ----------------------------------------------------------------------------------

# Those of "$@" that this system's package lists know.
known() {
    local package
    for package in "$@"; do
        if apt-cache show "$package" >/dev/null 2>&1; then printf '%s\n' "$package"; fi
    done
}

install_system_packages() {
    local wanted
    [[ ! $target ]] || return 0
    mapfile -t wanted < <(known "${pi_packages[@]}" "${word_packages[@]}" \
        ${kiosk:+"${kiosk_packages[@]}"})
    need_packages "wordtray needs packages of the system" \
        "${python_packages[@]}" "${compiler_packages[@]}" "${wanted[@]}"
}

# ---- one version, beside the others ------------------------------------------------------------

sources() {
    (cd -- "$root" && find "${parts[@]}" ! -type d ! -path '*/__pycache__/*' ! -name '*.so' |
        LC_ALL=C sort)
}

# The version of the package and the start of a checksum of all that is installed.
version_here() {
    local number sum
    number=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$root/pyproject.toml")
    sum=$(cd -- "$root" && sources | tr '\n' '\0' | xargs -0 sha256sum | sha256sum)
    printf '%s+%s\n' "$number" "${sum:0:8}"
}

# False also after an upgrade of the system that took the venv's Python away.
is_complete() {
    [[ -e $1/complete ]] && "$1/venv/bin/python" -I -c 'import firmware_host' 2>/dev/null
}

copy_sources() {
    (cd -- "$root" && sources | tar --create --no-recursion --files-from=-) |
        tar --extract --no-same-owner --directory="$1"
    chmod -R u=rwX,go=rX -- "$1"
}

# Debian 12's picamera2 was compiled for numpy 1, which the newest OpenCV no longer takes.
constrain() {
    if "$1" -c 'import sys; sys.exit(sys.version_info >= (3, 12))'; then
        printf '%s\n' 'numpy<2' 'opencv-python<4.12'
    fi
}

make_version() {
    local place=$1 options=()
    say "installing ${place##*/} (1 to 10 minutes, by the network and the card)"
    rm -rf -- "$place"
    mkdir -p -- "$place"
    copy_sources "$place"
    venv=$place/venv pip_log=$place/pip.log build_log=$place/build.log
    "$system_python" -m venv --system-site-packages "$venv" >&2 ||
        die "$system_python could not make $venv (see above)"
    constrain "$venv/bin/python" >"$place/constraints.txt"
    # No cache unless one is named: the card has better to keep, and nothing is installed twice.
    if [[ ! ${PIP_CACHE_DIR-} ]]; then options=(--no-cache-dir); fi
    export PIP_CONSTRAINT=$place/constraints.txt
    run_pip "${options[@]}" "${place}[pi,paper]" || explain_pip
    want_weights "${options[@]}"
    rm -rf -- "$place"/build "$place"/*.egg-info
    "$venv/bin/python" -m compileall -q "$venv/lib" >&2 || true # a foreign file for another Python
    : >"$place/complete"
}

need_version() {
    local place=$1
    if is_complete "$place"; then
        say "${place##*/} is here already"
    else
        make_version "$place"
    fi
}

# ---- into use ----------------------------------------------------------------------------------

point() {
    local link=$1 to=$2
    ln -sfn -- "$to" "$link.new"
    mv -fT -- "$link.new" "$link"
}

trees() { printf '%s\n' tray ${kiosk:+kiosk}; }

# Puts the units and rules of a version in place of those of another, which may have had more.
lay_out() {
    local new=$1 old=$2 tree file
    while read -r tree; do
        while read -r file; do
            mkdir -p -- "$target/${file%/*}"
            cp -P --preserve=mode -- "$new/systemd/$tree/$file" "$target/$file.new"
            mv -fT -- "$target/$file.new" "$target/$file"
        done < <(files_of "$new/systemd/$tree")
        while read -r file; do
            [[ -e $new/systemd/$tree/$file || -L $new/systemd/$tree/$file ]] ||
                rm -f -- "$target/$file"
        done < <(files_of "$old/systemd/$tree")
    done < <(trees)
    mkdir -p -- "$target/usr/local/bin"
    ln -sfn -- /opt/wordtray/current/venv/bin/wordtray "$target/usr/local/bin/wordtray"
}

switch_to() {
    local folder new=$1 old
    folder=$(versions)
    old=$(readlink -- "$folder/current" || true)
    point "$folder/current" "$new"
    if [[ $old && $old != "$new" ]]; then point "$folder/previous" "$old"; fi
    lay_out "$folder/$new" "$folder/${old:-$new}"
    tell_system
}

# Users, folders, rules and units; in a system that does not run most come with its first start.
tell_system() {
    local units=("$unit" ${kiosk:+"$kiosk_unit"})
    systemd-sysusers ${target:+--root="$target"}
    systemctl ${target:+--root="$target"} enable --quiet "${units[@]}"
    if is_running; then
        systemd-tmpfiles --create wordtray.conf
        udevadm control --reload
        udevadm trigger --action=change
        systemctl daemon-reexec # for the watchdog of the Pi
    fi
}

was_active() { is_running && systemctl --quiet is-active "$unit"; }

# True when the service says that it is ready.
starts() {
    is_running || return 0
    say "starting the service"
    systemctl reset-failed "$unit" 2>/dev/null || true
    systemctl restart "$unit"
}

# A version that does not start must not take the place of one that did.
put_into_use() {
    local new=$1 folder old worked=
    folder=$(versions)
    old=$(readlink -- "$folder/current" || true)
    if was_active; then worked=yes; fi
    switch_to "$new"
    if starts; then
        say "$new is in use"
    elif [[ $worked && $old != "$new" ]]; then
        switch_to "$old"
        starts || true
        die "$new did not start, so $old is in use again. Why: journalctl -u wordtray -n 50"
    else
        say "$new is installed, but the service did not start. Why: journalctl -u wordtray -n 50;" \
            "what is missing: wordtray doctor. It is tried again by itself"
    fi
}

remove_old_versions() {
    local folder place name
    folder=$(versions)
    for place in "$folder"/*/; do
        name=$(basename -- "$place")
        [[ $name == "$(readlink "$folder/current")" || -L ${place%/} ||
            $name == "$(readlink "$folder/previous")" ]] || rm -rf -- "$place"
    done
}

# ---- how the Pi starts -------------------------------------------------------------------------

boot_lines() {
    printf '%s\n' "$boot_begin" '[all]' \
        '# Outputs fall back to inputs when the program that drove them ends.' \
        'dtparam=strict_gpiod' 'dtparam=i2c_arm=on' 'dtparam=spi=on' "$boot_end"
}

set_boot_config() {
    local file wanted
    if ! file=$(boot_config); then
        say "there is no config.txt here, so no Raspberry Pi OS: its pins may keep their levels when" \
            "a program ends; see docs/service.md"
        return
    fi
    wanted=$(without_our_lines "$file" && boot_lines)
    [[ $wanted != "$(<"$file")" ]] || return 0
    [[ -e $file.before-wordtray ]] || cp -- "$file" "$file.before-wordtray"
    replace_file "$file" <<<"$wanted"
    say "$file is set: start the Pi anew once, by: sudo reboot"
}

# ---- a release that the pages have looked through ----------------------------------------------

# The service can lay anything there: what counts is the digest that a person has compared.
update() {
    local wanted=$1 file=$target/var/lib/wordtray/update/wordtray.tar.gz sum boot_options=()
    if [[ ! $boot_wanted ]]; then boot_options=(--no-boot-config); fi
    [[ -f $file ]] || die "no release waits: look one through at /maintenance, under Update"
    scratch=$(mktemp -d)
    trap 'rm -rf -- "$scratch"' EXIT
    cp -- "$file" "$scratch/release" # from here on nobody else can change it
    sum=$(sha256sum -- "$scratch/release")
    [[ ${sum%% *} == "$wanted" ]] || die "the release that waits has the digest ${sum%% *}, not" \
        "$wanted: look it through anew at /maintenance, and compare its digest"
    mkdir -- "$scratch/unpacked"
    tar --extract --gzip --no-same-owner --no-same-permissions --strip-components=1 \
        --directory="$scratch/unpacked" --file="$scratch/release"
    say "installing the release with the digest $wanted"
    bash "$scratch/unpacked/systemd/install.sh" ${kiosk:+--kiosk} \
        "${boot_options[@]}" ${target:+--root "$target"}
}

# ---- what is asked for -------------------------------------------------------------------------

install() {
    local version
    if has_kiosk; then kiosk=yes; fi
    install_system_packages
    version=$(version_here)
    need_version "$(versions)/$version"
    if [[ $boot_wanted ]]; then set_boot_config; fi
    put_into_use "$version"
    remove_old_versions
}

roll_back() {
    local folder version=$1
    folder=$(versions)
    version=${version:-$(readlink -- "$folder/previous" || true)}
    [[ $version ]] || die "there is no version before this one"
    is_complete "$folder/$version" || die "$version is not here; these are: $(list | tr '\n' ' ')"
    if has_kiosk; then kiosk=yes; fi
    put_into_use "$version"
}

list() {
    local folder place name
    folder=$(versions)
    for place in "$folder"/*/complete; do
        [[ -e $place ]] || continue
        name=$(basename -- "${place%/complete}")
        case $name in
        current | previous) ;;
        "$(readlink "$folder/current" || true)") printf '%s in use\n' "$name" ;;
        *) printf '%s\n' "$name" ;;
        esac
    done
}

action=install
wanted_version=
while (($#)); do
    case $1 in
    --kiosk) kiosk=yes ;;
    --no-boot-config) boot_wanted= ;;
    --root)
        [[ ${2-} ]] || die "--root takes a folder"
        target=$(readlink -f -- "$2") || die "there is no folder $2"
        shift
        ;;
    --roll-back)
        action=roll_back
        if [[ ${2-} && $2 != -* ]]; then
            wanted_version=$2
            shift
        fi
        ;;
    --list) action=list ;;
    --update)
        action=update
        wanted_version=${2-}
        [[ $wanted_version =~ ^[0-9a-f]{64}$ ]] || die "--update takes the SHA-256 of the release"
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

if [[ $action == list ]]; then
    list
    exit
fi
need_root
if [[ $action == update ]]; then # the release's own installer takes the lock
    update "$wanted_version"
    exit
fi
mkdir -p -- "$(versions)"
exec 8<"$(versions)"
flock --nonblock 8 || die "another installation is at work; wait for its end, then start again"
case $action in
install) install ;;
roll_back) roll_back "$wanted_version" ;;
esac
