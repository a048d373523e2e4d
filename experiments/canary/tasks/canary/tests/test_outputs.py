from pathlib import Path


def test_the_agent_wrote_the_line():
    assert Path("/workspace/out/state.txt").read_text() == "ready\n"
