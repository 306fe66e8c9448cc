#!/bin/sh
# Makes a Debian package of what `make install` installs:
# BUILD/redsweep_VERSION_ARCHITECTURE.deb
#
# The package depends on the packages that contain the program's libraries on this machine, and
# recommends those for charts. BUNDLE=yes (the default) includes NVRTC and CUPTI, so the only part
# of CUDA to install is the driver, and only for a GPU. NVIDIA's license allows distributing these
# libraries as part of an application.
set -eu
command -v dpkg-deb >/dev/null || { echo "deb: dpkg-deb is missing; make the Debian package on Debian or Ubuntu" >&2; exit 1; }
root=$BUILD/deb
rm -rf "$root"
mkdir -p "$root/DEBIAN"
setup/install.sh /usr "$(cd "$root" && pwd)" | grep -v ' is in '
architecture=$(dpkg --print-architecture)

# Prints the package (>= version) to which each library that the program is linked with belongs, if
# any.
depends=
for library in $(ldd "$BUILD/redsweep" | awk '$3 ~ /^\// { print $3 }'); do
    case $library in *cudart*) continue ;; esac
    file=$(readlink -f "$library")
    name=$(dpkg -S "$file" 2>/dev/null || dpkg -S "$library" 2>/dev/null || dpkg -S "/usr$file" 2>/dev/null) || continue
    name=${name%%:*}
    case " $depends " in *" $name "*) continue ;; esac
    depends="$depends $name"
done
glibc=$(objdump -T "$BUILD/redsweep" | sed -n 's/.*(\{0,1\}GLIBC_\([0-9.]*\).*/\1/p' | sort -V | tail -n 1)
depends=$(echo "$depends" | tr -s ' ' '\n' | sed "/^\$/d; s/^libc6\$/libc6 (>= $glibc)/" | sort | paste -sd, | sed 's/,/, /g')

cat >"$root/DEBIAN/control" <<CONTROL
Package: redsweep
Version: $VERSION
Section: science
Priority: optional
Architecture: $architecture
Maintainer: redsweep developers <redsweep@localhost>
Installed-Size: $(du -sk "$root" | cut -f 1)
Depends: $depends
Recommends: gnuplot-nox | gnuplot
Suggests: less
Description: sweeps GPU reductions: times, counters, charts
 Runs every reduction kernel over sizes, block sizes and tunables, checks each
 result, times it with CUDA events, counts what the hardware did with CUPTI, and
 writes CSV and JSON. Without a GPU the kernels run on a simulator that counts
 requests, sectors, lines and bank conflicts.
CONTROL
deb=$BUILD/redsweep_${VERSION}_$architecture.deb
dpkg-deb --root-owner-group --uniform-compression -Z"${DEB_COMPRESSION:-xz}" -z2 --build "$root" "$deb" >/dev/null
rm -rf "$root"
echo "deb: $deb ($(du -h "$deb" | cut -f 1)); install it with: apt install ./$deb"
