"""Starts the tests in a process of their own, gathers what they report, and writes the report when all is over."""
import json
import os
import sys

if sys.version_info < (3, 9):
    sys.exit(f"skillpair: the verifier needs Python 3.9 or later, and {sys.executable} is {sys.version.split()[0]}")

import select  # noqa: E402
import subprocess  # noqa: E402

BUNDLE = "/opt/skillpair/verifier"
sys.path.insert(0, BUNDLE)
import shield  # noqa: E402

REPORT = "/logs/verifier/report.json"
#: Ends the process when the tests did not come to an end of their own; not one of pytest's exit statuses.
INCOMPLETE = 70
#: Bytes of events that are taken in; more is not the report of an honest test run.
EVENT_LIMIT = 32 * 1024 * 1024


def main():
    shield.hide()
    shield.adopt_orphans()
    nonce = os.environ.pop("SKILLPAIR_NONCE", "")
    if not nonce:
        sys.exit("skillpair: SKILLPAIR_NONCE is not set, so the report would belong to no attempt")
    shield.wipe_from_init(nonce.encode())
    if os.path.lexists(REPORT):
        os.unlink(REPORT)
    lines, fault = run_tests()
    report = {"schemaVersion": 1, "nonce": nonce, **read_events(lines, fault)}
    if not shield.end_descendants():
        report.update(complete=False, fault="processes started by the tests could not be ended")
    write_whole(REPORT, json.dumps(report))
    os._exit(report["exitStatus"] if report["complete"] else INCOMPLETE)


def run_tests():
    """Lines of events up to the last whole one, and what ended the process if it did not say `end`."""
    incoming, outgoing = os.pipe()
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST_"))}
    tests = subprocess.Popen(
        [sys.executable, "-I", "-B", f"{BUNDLE}/run_tests.py", str(outgoing)],
        env=env, pass_fds=(outgoing,), stdin=subprocess.DEVNULL,
    )
    os.close(outgoing)
    os.set_blocking(incoming, False)
    data, status = b"", None
    while status is None and not is_ended(data) and len(data) <= EVENT_LIMIT:
        # Its end is watched for too: a process it left behind may hold the other end of the pipe open.
        status = reap(tests.pid)
        select.select([incoming], [], [], 0.05 if status is None else 0)
        data += read_available(incoming)
    if is_ended(data):
        return data.split(b"\n")[:-1], None
    if len(data) > EVENT_LIMIT:
        return [], f"the tests reported more than {EVENT_LIMIT} bytes"
    code = os.waitstatus_to_exitcode(status)
    how = f"was ended by signal {-code}" if code < 0 else f"left with exit code {code} before pytest was done"
    return data.split(b"\n")[:-1], f"the test process {how}"


def reap(wanted):
    """Takes leave of all children that have ended; the wait status of the wanted one, if it is among them.

    Orphans are this process's children: a test that waits for a process to be gone must not find a zombie for ever.
    """
    found = None
    try:
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == wanted:
                found = status
            if pid == 0:
                return found
    except ChildProcessError:
        return found


def is_ended(data):
    """True when the last whole line is the `end` event."""
    if not data.endswith(b"\n"):
        return False
    last = data[data.rfind(b"\n", 0, -1) + 1:]
    return last.startswith(b'{"event": "end"')


def read_available(descriptor):
    data = b""
    while len(data) <= EVENT_LIMIT:
        try:
            part = os.read(descriptor, 65536)
        except BlockingIOError:
            return data
        if not part:
            return data
        data += part
    return data


def read_events(lines, fault):
    report = {
        "complete": fault is None, "exitStatus": INCOMPLETE, "collected": 0, "pytest": "", "python": "",
        "tests": [], "collectionErrors": [],
    }
    if fault is not None:
        report["fault"] = fault
    for line in lines:
        event = json.loads(line)
        kind = event.pop("event")
        if kind == "start":
            report.update(event)
        elif kind == "collected":
            report["collected"] = event["count"]
        elif kind == "collection-error":
            report["collectionErrors"].append(event)
        elif kind == "test":
            report["tests"].append(event["test"])
        elif kind == "end":
            report["exitStatus"] = event["exitStatus"]
    return report


def write_whole(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    temporary = f"{path}.tmp"
    with open(temporary, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.rename(temporary, path)


if __name__ == "__main__":
    main()
