"""The report as JSON: all there is, and readable again by ``SuiteReport.from_json``."""

from pytest_jweval.records import SuiteReport


def render(report: SuiteReport) -> str:
    return report.to_json() + "\n"
