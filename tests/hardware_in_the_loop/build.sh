#!/usr/bin/env bash
# Builds the virtual Pi: Debian 13 with its own kernel, 28 simulated pins, libcamera's virtual camera,
# gpiozero, lgpio, Picamera2, and wordtray by its own installer.
#   build.sh FOLDER PICTURE    PICTURE is what the camera will see, a JPEG
# Needs root, and qemu-system-x86 mmdebstrap busybox-static cpio. What is there already is kept:
# the machine as long as this file stays as it is, wordtray as long as its sources do.
# shellcheck disable=SC2016 # apt, dpkg and mmdebstrap put in what stands in single quotes
set -euo pipefail

here=$(readlink -f -- "${BASH_SOURCE[0]}")
here=${here%/*}
repository=${here%/*/*}
folder=$1 picture=$2
machine=$folder/root

readonly tools=(ca-certificates gcc g++ make swig libc6-dev kmod busybox-static)
readonly system=(udev dbus systemd-sysv linux-image-amd64 linux-headers-amd64)
readonly python=(python3 python3-venv python3-dev python3-prctl python3-numpy python3-pil
    python3-spidev libgl1 libglib2.0-0t64)
readonly camera=(python3-libcamera libcamera-ipa libcamera0.7)
readonly drivers=(gpiozero lgpio rpi-lgpio picamera2)

# Keeps what a step says in a log of its own, and shows the end of it where the step fails.
logged() {
    local log=$folder/$1.log
    "${@:2}" >"$log" 2>&1 && return
    tail -n 20 -- "$log" >&2
    return 1
}

say() { printf '[%3d s] %s\n' "$SECONDS" "$*" >&2; }

# With this repository as /src; what is mounted for the command is gone with it.
inside() {
    mkdir -p -- "$machine/src"
    unshare --mount sh -ec 'root=$0
        mount -t proc proc "$root/proc"; mount --rbind /dev "$root/dev"
        mount --bind -o ro "$1" "$root/src"; shift
        exec chroot "$root" "$@"' "$machine" "$repository" "$@"
}

# The mirror that this machine uses itself.
mirror() {
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security |
        sed -n '/\/debian\/*$/{p;q}'
}

make_root() {
    local list uri
    uri=$(mirror) || true
    [[ $uri ]] || {
        say "apt knows no archive of Debian here: the virtual Pi is made of one"
        return 1
    }
    printf -v list '%s,' "${tools[@]}" "${system[@]}" "${python[@]}" \
        "${camera[@]/%//trixie-backports}"
    # INITRD: the kernel's package would make one that nothing here starts. Unsafe: what a pulled plug
    # spoils is built anew.
    logged debian env INITRD=No mmdebstrap --variant=apt --include="${list%,}" \
        --aptopt=APT::Install-Recommends=false --dpkgopt=force-unsafe-io \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
        --skip=cleanup/apt/lists --customize-hook='rm -f "$1"/boot/initrd.img*' \
        trixie "$machine" "deb $uri trixie main" "deb $uri trixie-backports main"
    cp -- /etc/ssl/certs/ca-certificates.crt "$machine/etc/ssl/certs/"
    cp -- /etc/resolv.conf "$machine/etc/resolv.conf"
    say "a Debian of $(du -sm -- "$machine" | cut -f1) MB"
}

kernel() { basename -- "$machine"/lib/modules/*; }

# The kernel's own simulated pins, which Debian leaves out; from the source of the very same version.
make_pins() {
    local version place=$machine/opt/pins archive
    version=$(inside dpkg-query -W -f '${Version}' "linux-headers-$(kernel)")
    mkdir -p -- "$place"
    inside sh -c "cd /tmp && apt-get download -qq linux-source-6.12=$version" >/dev/null
    archive=("$machine"/tmp/linux-source-6.12_*.deb)
    dpkg-deb --fsys-tarfile "${archive[0]}" | tar xOf - ./usr/src/linux-source-6.12.tar.xz |
        tar xJf - -C "$place" --strip-components=3 --wildcards \
            '*/drivers/gpio/gpio-sim.c' '*/kernel/irq/irq_sim.c'
    rm -f -- "${archive[@]}"
    # What raises the interrupt is not exported to modules; its exported twin does the same.
    sed -i 's/handle_simple_irq(irq_to_desc(\(.*\)));/generic_handle_irq_safe(\1);/' \
        "$place/irq_sim.c"
    printf '%s\n' 'obj-m := pins.o' 'pins-y := gpio-sim.o irq_sim.o' >"$place/Makefile"
    logged pins inside make -s -C "/lib/modules/$(kernel)/build" M=/opt/pins modules
    say "the simulated pins"
}

# Modules that the machine needs to see its disk: a folder of this one, and memory on top.
copy_modules() {
    local module file
    : >"$1/order"
    for module in 9pnet_virtio 9p overlay; do
        while read -r file; do
            file=${file%% *}
            grep -qx -- "$(basename -- "$file" .xz)" "$1/order" && continue
            xz -dc -- "$machine$file" >"$1/modules/$(basename -- "$file" .xz)"
            basename -- "$file" .xz >>"$1/order"
        done < <(inside modprobe -S "$(kernel)" --show-depends "$module" | sed -n 's/^insmod //p')
    done
}

make_initrd() {
    local tree=$folder/initrd name
    rm -rf -- "$tree"
    mkdir -p -- "$tree"/{bin,dev,proc,sys,root,below,above,modules}
    cp -- /bin/busybox "$tree/bin/"
    for name in sh mount insmod mkdir cat switch_root; do ln -s busybox "$tree/bin/$name"; done
    copy_modules "$tree"
    install -m 755 -- "$here/initrd-init" "$tree/init"
    (cd -- "$tree" && find . | cpio -o -H newc 2>/dev/null | gzip -1) >"$folder/initrd.gz"
    say "the first steps of its start"
}

# Its kernel's part and wordtray's have nothing to do with each other: two processors share them.
make_machine() {
    local part
    rm -rf -- "$folder"
    mkdir -p -- "$folder"
    make_root
    (
        make_pins
        make_initrd
    ) &
    part=$!
    install_all
    wait "$part"
    stamp_of_machine >"$folder/made-by"
}

# The installer that people run, in a system that does not run yet. A version that is there already
# stays as it is.
install_wordtray() {
    mkdir -p -- "$machine/boot/firmware"
    : >>"$machine/boot/firmware/config.txt"
    logged install inside env PIP_CACHE_DIR=/var/cache/pip /src/systemd/install.sh
    say "wordtray"
}

# apt has these on a Pi. The patches are for what a Pi has and the virtual camera has not.
install_drivers() {
    local site
    # PYPI: lgpio has no wheel for this Python, and is then compiled with all that it needs.
    logged drivers inside env PYPI=1 PIP_CACHE_DIR=/var/cache/pip \
        /opt/wordtray/current/venv/bin/python -m pip --quiet install "${drivers[@]}"
    site=$(inside sh -c 'echo /opt/wordtray/current/venv/lib/python3*/site-packages')
    cp -- "$here"/guest_python/*.py "$machine$site/"
    cp -- "$here/guest_python/pykms.py" "$machine$site/kms.py"
    grep -q virtual_camera "$machine$site/picamera2/__init__.py" ||
        printf '\nimport virtual_camera\n' >>"$machine$site/picamera2/__init__.py"
    say "the drivers"
}

install_all() {
    install_wordtray
    install_drivers
}

lay_out_guest() {
    cp -R -- "$here"/guest/. "$machine/"
    mkdir -p -- "$machine/photos"
    cp -- "$picture" "$machine/photos/tray.jpg"
    inside systemctl enable --quiet pins.service check.service
    inside systemctl mask --quiet getty@tty1.service serial-getty@ttyS0.service \
        systemd-networkd-wait-online.service apt-daily.timer apt-daily-upgrade.timer
    # Or each start would work out the caches of the whole system anew.
    touch -- "$machine"/{etc,var}/.updated
}

stamp_of_machine() { cat -- "$here"/{build.sh,initrd-init} | sha256sum; }

trap wait EXIT
if [[ -e $folder/made-by && $(<"$folder/made-by") == "$(stamp_of_machine)" ]]; then
    install_all
else
    make_machine
fi
lay_out_guest
