"""What a run says at its start: by what its golden cases are going to be judged."""

from pytest_jweval.plugin.session import Session


def lines(session: Session) -> list[str]:
    """One line, and only where there are golden cases to come."""
    golden = session.golden
    if not any(golden.reaches(folder) and folder.is_dir() for folder in golden.folders):
        return []
    resources = session.resources
    told = [f"embedder {resources.embedder_name}", f"judge {_judge(session)}"]
    if session.settings.live:
        told.append("pages live")
    return [f"jweval: {', '.join(told)}{_fallback(session)}"]


def _judge(session: Session) -> str:
    name = session.resources.llm_name
    model = session.resources.model_name
    return f"{name} {model}" if model else name


def _fallback(session: Session) -> str:
    if session.settings.embedder or session.resources.embedder_name != "hashing":
        return ""
    return " (sentence-transformers is not installed, and hashing compares wording, not meaning)"
