"""A report that an earlier run wrote, read again."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError

    from pytest_jweval.records import SuiteReport


class UnreadableReport(Exception):
    """Why, in words that follow the file's name: ``can't be read: it is no JSON``."""


def read_report(path: Path) -> "SuiteReport":
    from pydantic import ValidationError

    from pytest_jweval.records import SuiteReport

    try:
        return SuiteReport.from_json(path.read_text("utf-8-sig"))
    except OSError as error:
        raise UnreadableReport(f"can't be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise UnreadableReport("can't be read: it is no UTF-8") from None
    except ValidationError as error:
        raise UnreadableReport(_wrong(error)) from None
    except (ValueError, RecursionError):
        raise UnreadableReport("can't be read: it is no JSON") from None


def _wrong(error: "ValidationError") -> str:
    from pytest_jweval.records import SuiteReport, misses_of

    details = {detail["loc"]: detail["input"] for detail in error.errors(include_url=False)}
    if () in details:
        return "is no report of golden cases: a report is a mapping"
    written = details.get(("format",))
    if isinstance(written, int) and written > SuiteReport.model_fields["format"].default:
        return f"was written by a later pytest-jweval, in format {written}: update the one that reads it"
    return f"is no report of golden cases: {misses_of(error, SuiteReport)[0].reason}"
