"""The pytest plugin that tells the reporting process what happened, test by test, as it happens."""
import json
import os
import traceback

_MESSAGE_LIMIT = 4000
_SUMMARY_LIMIT = 400
_WORST_FIRST = ("error", "failed", "xpassed", "xfailed", "skipped", "passed")


class ReportPlugin:
    """One line of JSON for each event, on a descriptor that programs started by tests do not inherit."""

    def __init__(self, descriptor):
        self._descriptor = descriptor
        self._test = None
        self._broken = {}

    def send(self, event):
        data = (json.dumps(event) + "\n").encode("utf-8")
        while data:
            data = data[os.write(self._descriptor, data):]

    def pytest_exception_interact(self, node, call, report):
        if report.when == "collect":
            self._broken[report.nodeid] = _summary(node, call.excinfo.value)

    def pytest_collectreport(self, report):
        if report.failed:
            summary = self._broken.pop(report.nodeid, None)
            text = report.longreprtext if summary is None else f"{summary}\n\n{report.longreprtext}"
            self.send({"event": "collection-error", "where": report.nodeid, "message": _cut(text)})

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


def _summary(node, error):
    """One line: the exception and where the test file met it. pytest's own text begins with frames of pytest."""
    cause = error.__cause__
    if type(error).__name__ == "CollectError" and cause is None:
        text = str(error)
    else:
        error = cause if type(error).__name__ == "CollectError" else error
        text = f"{type(error).__name__}: {error}"
        if not isinstance(error, SyntaxError):  # which names its place itself
            text += _place(node, error)
    text = " ".join(text.split())
    return text if len(text) <= _SUMMARY_LIMIT else text[:_SUMMARY_LIMIT] + " [cut]"


def _place(node, error):
    path = str(getattr(node, "path", ""))
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return f" ({os.path.basename(path)}, line {lines[-1]})" if lines else ""


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
