#!/usr/bin/env bash
# Boots the virtual Pi of a folder that build.sh has filled; its console is standard output.
#   boot.sh FOLDER SECONDS
set -euo pipefail

# One processor: with two the guest's kernel crashed once in some ten starts. Without AVX2: numpy's
# sorting crashes on what qemu 7.2 makes of it.
exec timeout "$2" qemu-system-x86_64 -M q35 -accel tcg -cpu max,-avx2 -smp 1 -m 1500 \
    -nodefaults -no-reboot -display none -serial stdio \
    -kernel "$1"/root/boot/vmlinuz-* -initrd "$1/initrd.gz" \
    -append "console=ttyS0 quiet loglevel=3 panic=-1 systemd.show_status=false" \
    -fsdev "local,id=root,path=$1/root,security_model=none,readonly=on,multidevs=remap" \
    -device virtio-9p-pci,fsdev=root,mount_tag=root </dev/null
