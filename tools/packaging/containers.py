"""Containers without a daemon: the documented command as an OCI runtime's settings, and Docker's default profile."""

import json
import re
import shlex
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", ROOT / "Documentation" / "Installing.md"]
# Docker's and Podman's default filter of system calls: the profile of moby (profiles/seccomp/default.json), as
# Debian's golang-github-containers-common has it.
PROFILE = Path("/usr/share/containers/seccomp.json")
# What Docker gives a container by default; the profile permits some calls only with more.
CAPABILITIES = {
    "CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FSETID", "CAP_FOWNER", "CAP_MKNOD", "CAP_NET_RAW", "CAP_SETGID", "CAP_SETUID",
    "CAP_SETFCAP", "CAP_SETPCAP", "CAP_NET_BIND_SERVICE", "CAP_SYS_CHROOT", "CAP_KILL", "CAP_AUDIT_WRITE"}
# The calls of Sources/CSystem/{Sandbox,Landlock,CallFilter}.c that seal a process, and the layer each is for.
SEALING = {
    "prlimit64": "limits", "capset": "no_capabilities", "prctl": "dies_with_parent", "seccomp": "seccomp",
    "landlock_create_ruleset": "landlock_files", "landlock_restrict_self": "landlock_files", "close_range": None,
    "memfd_create": None, "unshare": None}


def blocks(page):
    """The fenced blocks of a page, in order."""
    return re.findall(r"^```\w*\n(.*?)^```$", page.read_text(), re.M | re.S)


def documented():
    """The documented command, parsed: its flags, port, volume, user and image. Both pages give the same one."""
    commands = {block.strip() for page in PAGES for block in blocks(page) if block.startswith("docker run")}
    if len(commands) != 1:
        raise SystemExit(f"WRONG the pages document {len(commands)} different commands: {commands}")
    words = shlex.split(commands.pop().replace('"$(id -u):$(id -g)"', "UID:GID"))
    if words[:2] != ["docker", "run"]:
        raise SystemExit(f"WRONG {words}")
    with_value, found, place = {"--user", "--tmpfs", "-p", "-v"}, {}, 2
    while place < len(words) and words[place].startswith("-"):
        takes = words[place] in with_value
        found[words[place]] = words[place + 1] if takes else True
        place += 2 if takes else 1
    return found | {"image": words[place], "arguments": words[place + 1:]}


def profile(machine="x86_64", without=()):
    """Docker's default profile as OCI's settings (what Docker makes of it: `includes` and `excludes` are resolved).

    `without` are names of calls that an older profile does not have."""
    given = json.loads(PROFILE.read_text())
    short = {"x86_64": "amd64", "aarch64": "arm64"}[machine]
    rules = []
    for rule in given["syscalls"]:
        wants, refuses = rule.get("includes") or {}, rule.get("excludes") or {}
        if not CAPABILITIES.issuperset(wants.get("caps") or []) or CAPABILITIES.intersection(refuses.get("caps") or []):
            continue
        if wants.get("arches") and short not in wants["arches"] or short in (refuses.get("arches") or []):
            continue
        names = [name for name in rule["names"] if name not in without]
        if not names:
            continue
        one = {"names": names, "action": rule["action"]}
        if rule.get("errnoRet") is not None:
            one["errnoRet"] = rule["errnoRet"]
        if rule.get("args"):
            one["args"] = rule["args"]
        rules.append(one)
    architectures = next([entry["architecture"], *entry["subArchitectures"]] for entry in given["archMap"]
                         if entry["architecture"] == f"SCMP_ARCH_{machine.upper()}")
    return {"defaultAction": given["defaultAction"], "defaultErrnoRet": given.get("defaultErrnoRet", 1),
            "architectures": architectures, "syscalls": rules}


def refused(rules):
    """The calls of the seal that a profile does not permit whatever their arguments, by going through its rules."""
    permitted = {name for rule in rules["syscalls"] if rule["action"] == "SCMP_ACT_ALLOW" and not rule.get("args")
                 for name in rule["names"]}
    return sorted(set(SEALING) - permitted)


# crun 1.8 runs nothing where only some controllers are in the newer hierarchy of cgroups: there it sees only that one.
HYBRID = not Path("/sys/fs/cgroup/cgroup.controllers").exists()


def with_cgroups(words):
    if not HYBRID:
        return words
    return ["unshare", "--mount", "--propagation", "private", "bash", "-c",
            'umount -R /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup; exec "$@"', "bash", *words]
