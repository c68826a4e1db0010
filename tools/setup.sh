# shellcheck shell=bash
# Set-up shared by ./run and ./test, which source it: system packages, .venv, Python packages.
#
# Two kinds of file in .venv say how far it is:
#   made-for         the checkout and the interpreter it belongs to; absent while pip is at work,
#                    so a set-up that was cut short is made anew
#   ready-run/-test  checksum of all that decides what is installed; written last
# A third, native-failed, says that the native solver could not be compiled, and is not tried again.
# Everything said goes to standard error: standard output belongs to the command that follows.

root=${BASH_SOURCE[0]%/*/*}
venv=$root/.venv
pip_log=$venv/pip.log
build_log=$venv/build.log # all that pip knows, the compiler's words among it

readonly python_names=(python3 python3.13 python3.12 python3.11)
readonly python_packages=(python3 python3-venv)
readonly compiler_packages=(g++ python3-dev)
readonly reader_weights='rapidocr==3.10.*' # a file of it; its code is never run, so nothing it needs
readonly emulator_packages=(qemu-system-x86 mmdebstrap busybox-static cpio xz-utils)

say() { printf 'wordtray: %s\n' "$*" >&2; }

die() {
    say "$*"
    exit 1
}

# The names of the files carry the absolute path into the checksum.
fingerprint() {
    sha256sum -- "$root"/{pyproject.toml,setup.py,tools/setup.sh} "$root"/scoring/native/*
}

native_is_built() { compgen -G "$root/scoring/_native*.so" >/dev/null; }

# A compiler that has come since the last set-up is a reason for another; one that has failed is not.
native_is_as_good_as_it_gets() {
    native_is_built || [[ -e $venv/native-failed ]] || ! type -P g++ >/dev/null
}

# False after a move or a copy of the checkout, and when the interpreter is gone or is another.
venv_is_sound() {
    local checkout interpreter
    [[ -x $venv/bin/python && -r $venv/made-for ]] || return 1
    { IFS= read -r checkout && IFS= read -r interpreter; } <"$venv/made-for" || return 1
    [[ $checkout == "$root" && $venv/bin/python -ef $interpreter ]]
}

is_ready() {
    local stamp=$venv/ready-$1
    venv_is_sound && [[ -r $stamp && $(<"$stamp") == "$(fingerprint)" ]] &&
        native_is_as_good_as_it_gets
}

# Runs the candidate: a pyenv shim may exist and yet fail, Debian ships venv without ensurepip.
python_works() {
    "$1" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

# Looks along the whole PATH: behind a shim that fails there may be a Python that works.
find_python() {
    local candidate
    while read -r candidate; do
        if python_works "$candidate"; then
            printf '%s\n' "$candidate"
            return
        fi
    done < <(type -aP "${python_names[@]}")
    return 1
}

# What cv2 loads from the system. The second was renamed in Debian 13; the 32-bit systems there
# know the new name alone.
library_packages() {
    local glib=libglib2.0-0
    if apt-cache show libglib2.0-0t64 >/dev/null 2>&1; then glib=libglib2.0-0t64; fi
    printf '%s\n' libgl1 "$glib"
}

is_missing() {
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) != installed ]]
}

# Sets missing to those of "$@", and of the libraries, that are not installed.
list_missing() {
    local package wanted
    mapfile -t wanted < <(library_packages)
    missing=()
    for package in "$@" "${wanted[@]}"; do
        if is_missing "$package"; then missing+=("$package"); fi
    done
}

# Sets as_root to what makes a command run as root; fails where there is no way.
find_way_to_root() {
    as_root=()
    ((EUID == 0)) && return
    command -v sudo >/dev/null || return 1
    as_root=(sudo)
    sudo -n true 2>/dev/null || [[ -t 0 && -t 2 ]]
}

# Quiet unless it fails; waits for an update that holds the package lock, as after a first boot.
apt_quietly() {
    local output
    output=$("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get -y -o DPkg::Lock::Timeout=300 "$@" 2>&1) && return
    tail -n 8 <<<"$output" >&2
    return 1
}

install_missing() {
    local reason=$1 advice="install with: sudo apt install ${missing[*]}; then start again"
    shift
    find_way_to_root || die "$reason: $advice"
    say "installing system packages: ${missing[*]} (a minute or two)"
    apt_quietly update || say "apt-get update failed; going on with the package lists as they are"
    list_missing "$@" # the lists that have just come may know another name
    apt_quietly install --no-install-recommends "${missing[@]}" ||
        die "$reason and apt-get failed: $advice"
}

# $1 says what for; the libraries are wanted always, so that nobody is sent to apt twice.
need_packages() {
    local reason=$1 missing
    shift
    command -v apt-get >/dev/null ||
        die "$reason, and there is no apt here: install it by the system's own means"
    list_missing "$@"
    if ((${#missing[@]})); then install_missing "$reason" "$@"; fi
}

make_venv() {
    local python
    if ! python=$(find_python); then
        need_packages "Python 3.11 or newer with venv is missing" "${python_packages[@]}"
        python=$(find_python) ||
            die "no Python 3.11 or newer was found: put one on the PATH, then start again"
    fi
    say "making the Python environment .venv (under a minute)"
    rm -rf -- "$venv"
    "$python" -m venv "$venv" >&2 || die "$python could not make $venv (see above)"
}

seal_venv() {
    printf '%s\n' "$root" "$(readlink -f -- "$venv/bin/python")" >"$venv/made-for"
}

# Keeps all of pip's words in its log and passes on the large downloads, as a sign of life.
run_pip() {
    rm -f -- "$build_log"
    PIP_USER=0 "$venv/bin/python" -m pip install --progress-bar off --no-color \
        --log "$build_log" "$@" 2>&1 |
        tee "$pip_log" |
        sed -un 's/^ *Downloading \([^-]*\)-\([^-]*\)-.*\( (.* MB)\)$/  downloading \1 \2\3/p' >&2
}

explain_pip() {
    if grep -qE 'connection broken|ConnectionError|timed out' "$pip_log"; then
        die "pip cannot reach its package index: check the network and the clock, then start again"
    fi
    tail -n 12 "$pip_log" >&2
    die "pip failed (its last lines are above, the rest in $pip_log): mend that, then start again"
}

install_packages() {
    say "installing Python packages into .venv (the first time 1 to 10 minutes, by the network)"
    rm -f -- "$venv/made-for"
    if run_pip --editable "$1"; then
        seal_venv
    else
        # Only a pip that had begun to write leaves an environment that must be made anew.
        grep -q '^Installing collected packages' "$pip_log" || seal_venv
        explain_pip
    fi
}

# What words on paper are read with. Nothing else fails without it; logs of its own leave the
# compiler's words alone. "$@" are options for pip.
# shellcheck disable=SC2120 # systemd/install.sh has some
want_weights() {
    local build_log=$venv/weights-build.log pip_log=$venv/weights.log
    run_pip "$@" --no-deps "$reader_weights" && return
    say "the weights that read words on paper did not come (see $pip_log): lists must be typed." \
        "To try again: $venv/bin/python -m pip install --no-deps '$reader_weights'"
}

can_compile() {
    type -P g++ >/dev/null && "$venv/bin/python" -c 'import pathlib, sys, sysconfig
sys.exit(not pathlib.Path(sysconfig.get_path("include"), "Python.h").exists())'
}

# Adds packages that are worth having and nothing to fail for, nor to ask anybody's password for.
# $1 says what for.
add_packages() {
    local reason=$1 missing as_root=()
    shift
    if ((EUID != 0)); then as_root=(sudo -n); fi
    type -P apt-get >/dev/null && "${as_root[@]}" true 2>/dev/null || return 0
    list_missing "$@"
    say "installing $reason: ${missing[*]} (a minute or two)"
    apt_quietly update || true
    apt_quietly install --no-install-recommends "${missing[@]}" || true
}

want_compiler() {
    can_compile && return
    add_packages "a compiler for the native solver" "${compiler_packages[@]}"
    can_compile && return
    say "no C++ compiler: boards are solved in Python, some hundred times slower." \
        "For the native solver: sudo apt install ${compiler_packages[*]}; then start again"
}

# Nobody needs it but who asks for its opinion; its tests are left out where it is not there.
want_tesseract() {
    type -P tesseract >/dev/null && return
    add_packages "a second reader of cubes and print for the tests" tesseract-ocr
    type -P tesseract >/dev/null && return
    say "no tesseract: its tests are left out. To run them: sudo apt install tesseract-ocr"
}

# It runs what the pages' scripts can do without a page; its tests are left out where it is not there.
want_node() {
    type -P node >/dev/null && return
    add_packages "what runs the scripts of the pages in tests" nodejs
    type -P node >/dev/null && return
    say "no node: its tests are left out. To run them: sudo apt install nodejs"
}

has_dictionary() { ! is_missing wordnet-base && ! is_missing scowl; }

# It tells players what words mean; tests of its own files are left out where they are not there.
want_dictionary() {
    has_dictionary && return
    add_packages "what words mean, for the tests" wordnet-base scowl
    has_dictionary && return
    say "no dictionary: its tests are left out. To run them: sudo apt install wordnet-base scowl"
}

# Of the virtual Pi, which its tests build; they are left out where these are not there.
want_emulator() {
    type -P qemu-system-x86_64 mmdebstrap busybox cpio xz >/dev/null && return
    add_packages "an emulator for the virtual Pi" "${emulator_packages[@]}"
}

# Of the tests of the pages; they are left out where it is not there.
want_browser() {
    type -P chromium >/dev/null && return
    add_packages "a browser for the tests of the pages" chromium
}

# Of the tests of a hall, which start them; they are left out where these are not there.
want_station() {
    if PATH=$PATH:/usr/sbin type -P mosquitto >/dev/null &&
        compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null; then return; fi
    add_packages "a broker and a database for the tests of a hall" mosquitto postgresql
}

# What an earlier version built must not serve a later one.
forget_native() { rm -f -- "$root"/scoring/_native*.so "$venv/native-failed"; }

check_native() {
    native_is_built && return
    type -P g++ >/dev/null || return 0 # nobody tried: said before
    : >"$venv/native-failed"
    say "the native solver could not be compiled (see $build_log): boards are solved in Python," \
        "some hundred times slower. To try again: rm $venv/native-failed"
}

cv2_loads() { "$venv/bin/python" -c 'import cv2' 2>"$venv/cv2.log"; }

check_libraries() {
    cv2_loads && return
    need_packages "OpenCV does not load ($(tail -n 1 "$venv/cv2.log"))"
    cv2_loads || die "OpenCV does not load: mend that (see $venv/cv2.log), then start again"
}

# The tests need all that the product needs: their set-up serves both.
write_stamps() {
    local purpose
    for purpose in run "$1"; do
        fingerprint >"$venv/ready-$purpose"
    done
}

make_ready() {
    local purpose=$1 target='.[paper]'
    venv_is_sound || make_venv
    want_compiler
    if [[ $purpose == test ]]; then
        target='.[test]'
        want_tesseract
        want_node
        want_dictionary
    fi
    forget_native
    install_packages "$target"
    # shellcheck disable=SC2119
    want_weights
    check_native
    check_libraries
    write_stamps "$purpose"
    say "set-up done"
}

check_writable() {
    [[ -w $root ]] ||
        die "$root cannot be written by this user: copy it to a folder of yours, then start there"
    [[ ! -e $venv || -w $venv ]] ||
        die "$venv belongs to another user: remove it, then start again"
}

# The lock is on the folder itself and ends with the subshell that called.
wait_for_turn() {
    exec 9<"$root"
    flock --nonblock 9 && return
    say "another set-up is at work here; waiting for it"
    flock 9
}

# $1 is what to be ready for: run or test.
set_up() {
    is_ready "$1" && return
    check_writable
    (
        wait_for_turn
        cd -- "$root" || exit
        is_ready "$1" || make_ready "$1"
    )
}
