#!/bin/sh
# Puts Jackspot onto a Pi, without a network, from the folder `jackspot` on the boot partition of its
# card, in which this lies; `jackspot sd-card` has made it. Started by jackspot-first-boot.service with
# each start of the machine, until all of it is done: then this file goes, and with it the packages and
# all that is secret. Every step can be done again. What became of it stands in RESULT.txt beside it.
#
#   first-boot            do it
#   first-boot --begin    have systemd do it now: what cloud-init calls

set -u
CARD=$(cd "$(dirname "$0")" && pwd)
UNIT=jackspot-first-boot.service
BOARD=jackspot.service
RESULT=$CARD/RESULT.txt
LOG=/var/log/jackspot-first-boot.log
WORK=/run/jackspot-first-boot
SETTINGS=/etc/jackspot/jackspot.toml
OWN=/var/lib/jackspot/board.toml
WIFI=/etc/NetworkManager/system-connections/jackspot-wifi.nmconnection
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive

systemd_runs() { [ -d /run/systemd/system ]; }

if [ "${1:-}" = --begin ]; then
    systemd_runs || exit 0
    cp "$CARD/$UNIT" "/run/systemd/system/$UNIT"
    systemctl daemon-reload
    exec systemctl start --no-block "$UNIT"
fi

# told LINE...: onto the card, whole, and onto the console.
told() {
    printf '%s\n' "$@" | sed 's/$/\r/' >"$RESULT.new"
    mv "$RESULT.new" "$RESULT"
    sync -f "$RESULT"
    printf 'jackspot: %s\n' "$@"
}

# put FILE TARGET MODE OWNER: whole or not at all; another one that is there is kept beside it.
put() {
    [ -d "${2%/*}" ] || mkdir -p "${2%/*}" || return 1
    if [ -e "$2" ] && ! cmp -s "$1" "$2" && ! cmp -s "$2" "${EXAMPLE:-}"; then
        cp -p "$2" "$2.before-card" || return 1
    fi
    install -m "$3" -o "$4" -g "$4" "$1" "$2.new" && sync -f "$2.new" && mv "$2.new" "$2"
}

# --- the steps: each says why it failed, on its last lines -----------------------------------

packages() {
    wanted=$(sed -n 's/^Architecture: //p' "$CARD/packages/Packages" | grep -vx all | sort -u | head -n 1)
    ours=$(dpkg --print-architecture)
    if [ -n "$wanted" ] && [ "$wanted" != "$ours" ]; then
        echo "The packages on the card are for $wanted, and the system on it is $ours."
        echo "Write the card anew with the other Raspberry Pi OS (64-bit: arm64), or take other packages."
        return 1
    fi
    # A start before this one may have been cut off: a package of which files were being unpacked is
    # put there anew, since dpkg sets up no half of one, nor does apt mend that.
    dpkg-query --show --showformat='${db:Status-Eflag} ${Package}\n' | sed -n 's/^reinstreq //p' |
        while read -r name; do
            dpkg --force-depends --force-confold --unpack "$CARD/packages/${name}"_*.deb || true
        done
    dpkg --configure -a --force-confold || true
    mkdir -p "$WORK/lists/partial" "$WORK/archives/partial"
    echo "deb [trusted=yes] file:$CARD/packages ./" >"$WORK/sources.list"
    apt() {
        apt-get -o Dir::Etc::SourceList="$WORK/sources.list" -o Dir::Etc::SourceParts=/dev/null \
            -o Dir::State::Lists="$WORK/lists" -o Dir::Cache="$WORK" -o Dir::Cache::Archives="$WORK/archives" \
            -o APT::Sandbox::User=root -o DPkg::Lock::Timeout=1800 -o Dpkg::Use-Pty=0 \
            -o Dpkg::Options::=--force-confold -y "$@"
    }
    apt update && apt --no-install-recommends --fix-broken install &&
        apt --no-install-recommends --no-remove install jackspot
}

settings() {
    mkdir -p "$WORK/settings"
    [ ! -e "$SETTINGS" ] || cp "$SETTINGS" "$WORK/settings/jackspot.toml"
    [ ! -e "$CARD/jackspot.toml" ] || cp "$CARD/jackspot.toml" "$WORK/settings/jackspot.toml"
    [ -e "$WORK/settings/jackspot.toml" ] || : >"$WORK/settings/jackspot.toml"
    : >"$WORK/settings/board.toml"
    [ ! -e "$CARD/board.toml" ] || cp "$CARD/board.toml" "$WORK/settings/board.toml"
    # The names on the card are those that people look for.
    if ! jackspot check-config --config "$WORK/settings/jackspot.toml" \
        --board-file "$WORK/settings/board.toml" >"$WORK/said" 2>&1; then
        sed "s,$WORK/settings/,jackspot/," "$WORK/said"
        echo "The board has the usual settings so far. Mend the file in the folder jackspot of this card."
        return 1
    fi
    EXAMPLE=/usr/share/jackspot/jackspot/ops/install/files/jackspot.toml
    [ ! -e "$CARD/jackspot.toml" ] || put "$CARD/jackspot.toml" "$SETTINGS" 644 root || return 1
    EXAMPLE=
    [ ! -e "$CARD/board.toml" ] || put "$CARD/board.toml" "$OWN" 644 jackspot
}

hall() {
    [ -e "$CARD/festival.toml" ] || return 0
    jackspot join "$CARD/festival.toml"
}

wifi() {
    [ -e "$CARD/wifi.nmconnection" ] || return 0
    if [ ! -d "${WIFI%/*}" ]; then
        echo "This system has no NetworkManager, which Raspberry Pi OS has since 2023: no Wi-Fi was set up."
        return 1
    fi
    EXAMPLE=
    put "$CARD/wifi.nmconnection" "$WIFI" 600 root || return 1
    # A Pi's Wi-Fi is off until its country is set, which `jackspot sd-card` has done in cmdline.txt.
    for file in /var/lib/systemd/rfkill/*:wlan; do
        [ ! -e "$file" ] || echo 0 >"$file"
    done
    if systemd_runs; then
        rfkill unblock wifi || true
        if systemctl --quiet is-active NetworkManager.service; then
            nmcli radio wifi on || true
            nmcli connection reload || true
        fi
    fi
}

start() {
    systemd_runs || return 0
    systemctl restart "$BOARD" && return
    journalctl --unit="$BOARD" --no-pager --output=cat --lines=12
    return 1
}

# --- all of them -------------------------------------------------------------------------------

FAILED=
# take STEP WORDS: do a step; what it says goes into the log, and where it fails onto the card too.
take() {
    if "$1" >"$WORK/$1.log" 2>&1; then
        cat "$WORK/$1.log" >>"$LOG"
        return 0
    fi
    cat "$WORK/$1.log" >>"$LOG"
    FAILED="$FAILED$2 failed:
$(tail -n 15 "$WORK/$1.log" | sed 's/^/    /')
"
    return 1
}

# finish: RESULT.txt stays alone in the folder; a power cut in it is gone on with.
finish() {
    for file in "$CARD"/*; do
        case ${file##*/} in
            RESULT.txt | first-boot | finished) ;;
            *) rm -rf "$file" ;;
        esac
    done
    sync -f "$CARD"
    rm -f "$CARD/first-boot"
    sync -f "$CARD"
    rm -f "$CARD/finished"
}

mkdir -p "$WORK"
if [ -e "$CARD/finished" ]; then
    finish
    exit 0
fi
echo "--- $(date -u '+%F %T') UTC" >>"$LOG"
told "Jackspot is being put onto this Pi." "Leave the power on until the board's display shows its name." \
    "If this stands here still when the Pi is off, it was cut off: start it again, it goes on."
if take packages "Installing the packages"; then
    take settings "The settings"
    take hall "The hall's file, festival.toml,"
    take wifi "Wi-Fi"
    take start "Starting the board"
fi
if [ -n "$FAILED" ]; then
    told "Jackspot is not on this Pi as wanted yet." "" "$FAILED" \
        "It is tried again with each start. All that was said is on the Pi in $LOG."
    ! command -v jackspot >/dev/null || jackspot sd-card --failed "$CARD" >/dev/null 2>&1
    exit 1
fi
version=$(dpkg-query --show --showformat='${Version}' jackspot)
told "Jackspot $version is on this Pi." "All else is gone from this folder: packages, settings, the keys of hall and Wi-Fi."
: >"$CARD/finished"
sync -f "$CARD"
finish
