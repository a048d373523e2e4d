from pathlib import Path


def test_the_workspace_is_empty():
    assert list(Path("/workspace").iterdir()) == []
