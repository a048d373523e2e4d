"""The process that tests run in. It never sees the nonce: the process that writes the report started it without."""
import contextlib
import os
import sys

BUNDLE = "/opt/skillpair/verifier"
TESTS = "/tests"


def main():
    descriptor = int(sys.argv[1])
    os.set_inheritable(descriptor, False)
    # Ours first, so that no pytest of the image is taken for it; then the helpers beside the tests.
    sys.path[:0] = [f"{BUNDLE}/site", BUNDLE]
    import shield

    shield.hide()
    import pytest
    from report_plugin import ReportPlugin

    sys.path.remove(BUNDLE)
    sys.path.insert(1, TESTS)
    plugin = ReportPlugin(descriptor)
    plugin.send({"event": "start", "pytest": pytest.__version__, "python": sys.version.split()[0]})
    status = pytest.main(
        [
            "-c", f"{BUNDLE}/pytest.ini",
            "--rootdir", TESTS,
            "--confcutdir", TESTS,
            "--import-mode", "importlib",
            "--disable-plugin-autoload",
            "-p", "no:cacheprovider",
            "-ra", "--tb", "short", "--color", "no",
            TESTS,
        ],
        plugins=[plugin],
    )
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # nobody reads the output any more: no reason to lose the verdict
            stream.flush()
    plugin.send({"event": "end", "exitStatus": int(status)})
    # Not the interpreter's own way out: exit handlers and threads of tested code have no say after the end.
    os._exit(0)


if __name__ == "__main__":
    main()
