"""What can be concluded from few and noisy verdicts, in plain Python."""

from pytest_jweval.statistics.agreement import (
    Agreement,
    agreement_of,
    cohen_kappa,
    corrected_rate,
    kappa_interval,
)
from pytest_jweval.statistics.comparisons import (
    Alternative,
    holm,
    mcnemar_exact,
    mcnemar_midp,
    sign_flip_test,
)
from pytest_jweval.statistics.intervals import clopper_pearson, wilson_interval
from pytest_jweval.statistics.trials import Sprt, Trials, decided

__all__ = [
    "Agreement",
    "Alternative",
    "Sprt",
    "Trials",
    "agreement_of",
    "clopper_pearson",
    "cohen_kappa",
    "corrected_rate",
    "decided",
    "holm",
    "kappa_interval",
    "mcnemar_exact",
    "mcnemar_midp",
    "sign_flip_test",
    "wilson_interval",
]
