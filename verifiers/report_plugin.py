"""The pytest plugin that tells the reporting process what happened, test by test, as it happens."""
import json
import os

_MESSAGE_LIMIT = 4000
_WORST_FIRST = ("error", "failed", "xpassed", "xfailed", "skipped", "passed")


class ReportPlugin:
    """One line of JSON for each event, on a descriptor that programs started by tests do not inherit."""

    def __init__(self, descriptor):
        self._descriptor = descriptor
        self._test = None

    def send(self, event):
        data = (json.dumps(event) + "\n").encode("utf-8")
        while data:
            data = data[os.write(self._descriptor, data):]

    def pytest_collectreport(self, report):
        if report.failed:
            self.send({"event": "collection-error", "where": report.nodeid, "message": _text(report)})

    def pytest_collection_finish(self, session):
        self.send({"event": "collected", "count": len(session.items)})

    def pytest_internalerror(self, excrepr):
        self.send({"event": "collection-error", "where": "pytest", "message": _cut(str(excrepr))})

    def pytest_runtest_logstart(self, nodeid):
        self._test = {"name": nodeid, "status": "passed", "message": "", "durationMs": 0.0}

    def pytest_runtest_logreport(self, report):
        test = self._test
        if test is None or report.nodeid != test["name"]:
            return
        if report.when == "setup":
            test.update(status="passed", message="", durationMs=0.0)
        test["durationMs"] += report.duration * 1000
        status = _status(report)
        if _WORST_FIRST.index(status) < _WORST_FIRST.index(test["status"]):
            test.update(status=status, message=_text(report))

    def pytest_runtest_logfinish(self, nodeid):
        test, self._test = self._test, None
        if test is not None and test["name"] == nodeid:
            test["durationMs"] = round(test["durationMs"], 3)
            self.send({"event": "test", "test": test})


def _status(report):
    if hasattr(report, "wasxfail"):
        return "xfailed" if report.skipped else "xpassed"
    if report.failed:
        return "failed" if report.when == "call" else "error"
    return "skipped" if report.skipped else "passed"


def _text(report):
    if hasattr(report, "wasxfail"):
        return _cut(str(report.wasxfail))
    if isinstance(report.longrepr, tuple):
        return _cut(str(report.longrepr[2]))
    crash = getattr(report.longrepr, "reprcrash", None)
    first = f"{crash.message}\n\n" if crash is not None else ""
    return _cut(first + report.longreprtext)


def _cut(text):
    # Lone surrogates (undecodable bytes in an assertion) would not survive UTF-8.
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text if len(text) <= _MESSAGE_LIMIT else text[:_MESSAGE_LIMIT] + " [cut]"
