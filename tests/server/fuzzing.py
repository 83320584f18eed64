"""Requests made up from the server's own description, sensible and senseless, and held against it."""

from __future__ import annotations

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.core.failures import FailureGroup
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

# The description cannot say which editions, armies or games there are: well-formed requests may be refused.

TOO_LARGE = 413


def faults_of(address: str, examples: int) -> list[str]:
    """Everything that was not answered as described; `examples` requests of each kind an operation."""
    schema = schemathesis.openapi.from_url(f"{address}/api/openapi.json")
    faults = []
    for found in schema.get_all_operations():
        operation = found.ok()
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            try:
                _tried(operation, mode, examples)
            except Unsatisfiable:
                continue  # nothing can be sent that is wrong: there is nothing to send
            except (Exception, FailureGroup) as error:
                told = getattr(error, "exceptions", (error,))
                faults += [f"{operation.label} ({mode.value}): {one}" for one in told]
    return faults


def _tried(operation: schemathesis.schemas.APIOperation, mode: GenerationMode, examples: int) -> None:
    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def one(case: schemathesis.Case) -> None:
        answer = case.call(timeout=60)
        left_out = [positive_data_acceptance]
        if answer.status_code == TOO_LARGE:  # a refusal, though not one that the check knows
            left_out.append(negative_data_rejection)
        case.validate_response(answer, excluded_checks=left_out)

    one()
