"""Config files in a folder, and what they load as."""

from __future__ import annotations

from pathlib import Path

import pytest

from jackspot.config import (
    Config,
    ConfigError,
    Sources,
    load,
)


class Files:
    """A folder to write config files into and load them from."""

    def __init__(self, folder: Path) -> None:
        self.shared = folder / "jackspot.toml"
        self.board = folder / "board.toml"

    def load(self, shared: str | None = None, board: str | None = None) -> Config:
        """Write the files that are given, and load them."""
        paths = []
        for path, text in ((self.shared, shared), (self.board, board)):
            if text is not None:
                path.write_text(text, encoding="utf-8")
                paths.append(path)
        return load(Sources(tuple(paths)))

    def mistakes(self, shared: str | None = None, board: str | None = None) -> list[str]:
        """Return the line of each mistake, with the folder left out."""
        with pytest.raises(ConfigError) as failure:
            self.load(shared, board)
        return [str(m).replace(f"{self.shared.parent}/", "") for m in failure.value.mistakes]


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)
