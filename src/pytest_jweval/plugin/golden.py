"""Which files of a project are golden: whose they are, before anybody reads them."""

import os
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pytest_jweval import defaults, hookspecs
from pytest_jweval.paths import is_case_folder, is_case_name
from pytest_jweval.settings import CHOICES, Settings


@dataclass
class Golden:
    """The golden folders of a run.

    A folder that happens to be called golden in a project that never heard of us is left alone: it counts
    once the project sets one of our ini keys, implements one of our hooks, or names it on the command line.
    """

    config: pytest.Config
    folders: list[Path]
    named: bool
    _claimed: bool = field(default=False, init=False)
    _case_folders: dict[Path, bool] = field(default_factory=dict, init=False)

    @classmethod
    def of(cls, config: pytest.Config, settings: Settings) -> "Golden":
        by_ini = [_absolute(config.rootpath / folder) for folder in settings.golden]
        named = _named_folders(config, settings, by_ini)
        return cls(config, [*by_ini, *sorted(named)], bool(named))

    def missing(self) -> list[str]:
        """What ini ``jweval_golden`` names and isn't there."""
        named = self.config.getini("jweval_golden") or []
        return [folder for folder in named if not (self.config.rootpath / folder).is_dir()]

    def reaches(self, folder: Path) -> bool:
        """Whether ``folder`` is, or lies in, a golden folder of this run."""
        return any(folder.is_relative_to(golden) for golden in self.folders) and self._is_claimed()

    def holds(self, path: Path, session: pytest.Session) -> bool:
        """Whether ``path`` is a case file of this run."""
        if session.isinitpath(path):
            return True
        return is_case_name(path.name) and self._may_hold_cases(path.parent) and self._is_claimed()

    def _may_hold_cases(self, folder: Path) -> bool:
        if folder not in self._case_folders:
            roots = [root for root in self.folders if folder.is_relative_to(root)]
            self._case_folders[folder] = any(is_case_folder(folder, root) for root in roots)
        return self._case_folders[folder]

    def has_conftests_to_come(self) -> bool:
        """Whether a golden folder has a conftest that pytest will only load when it gets there."""
        loaded = {getattr(plugin, "__file__", None) for plugin in self.config.pluginmanager.get_plugins()}
        found = (path for folder in self.folders for path in folder.rglob("conftest.py"))
        return any(str(path) not in loaded for path in found)

    def _is_claimed(self) -> bool:
        # Asked again until it is true: a conftest is loaded when its folder is reached.
        self._claimed = self._claimed or self.named or _has_ini(self.config) or _implements_hook(self.config)
        return self._claimed


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100  # unlike resolve, it keeps links


def _named_folders(config: pytest.Config, settings: Settings, by_ini: "list[Path]") -> "set[Path]":
    """The golden folders that the command line names or points into.

    Outside rootdir, a folder of the right name is one; in it, what lies above rootdir is nobody's business:
    a checkout below some folder called golden is no golden folder.
    """
    given = {str(arg) for arg in config.invocation_params.args}
    found: set[Path] = set()
    for arg in config.args:
        if arg not in given:
            continue  # from ini testpaths, or the current folder for want of an argument
        path = _absolute(config.invocation_params.dir / arg.partition("::")[0])
        found.update(folder for folder in by_ini if path.is_relative_to(folder))
        inside = path.is_relative_to(config.rootpath)
        for folder in (path, *path.parents):
            if inside and not folder.is_relative_to(config.rootpath):
                break
            # Rootdir itself only if that is what was asked for, and it is no project with an ini file.
            project = folder == config.rootpath and (folder != path or config.inipath is not None)
            if not project and any(_ends_with(folder, Path(name)) for name in settings.golden):
                found.add(folder)
    return found


def _ends_with(folder: Path, name: Path) -> bool:
    return folder.parts[-len(name.parts) :] == name.parts


def _has_ini(config: pytest.Config) -> bool:
    return any(config.getini(choice.ini) is not None for choice in CHOICES)


def _implements_hook(config: pytest.Config) -> bool:
    """An installed plugin that brings agents along is not the project speaking; a conftest or ``-p`` is."""
    installed = {id(plugin) for plugin, _ in config.pluginmanager.list_plugin_distinfo()} | {id(defaults)}
    names = (name for name in dir(hookspecs) if name.startswith("pytest_jweval_"))
    return any(
        id(implementation.plugin) not in installed
        for name in names
        for implementation in getattr(config.hook, name).get_hookimpls()
    )
