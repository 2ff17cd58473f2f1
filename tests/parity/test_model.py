"""Every model the reference can load must compile to the same arrays; see known.py for the rest."""

import pytest

import compare
import pliant
import pliant.mujoco

MOST_LISTED = 30  # fields per model


def test_model_equals_reference(model_path, model_name, tally):
    reference, message = compare.load_reference(model_path)
    if reference is None:
        if model_name.startswith(("cases/", "models/")):  # our own must be valid
            pytest.fail(f"{model_name}: the reference refuses it: {message}", pytrace=False)
        tally.refused[model_name] = message
        pytest.skip(f"the reference refuses it: {message}")
    reason = compare.out_of_scope(reference)
    if reason:
        tally.out_of_scope[model_name] = reason
        pytest.skip(f"out of scope: {reason}")

    try:
        model = pliant.mujoco.MjModel.from_xml_path(model_path)
    except pliant.LoadError as error:
        tally.compared[model_name] = compare.Comparison(differences=[compare.Difference("", "does not load")])
        pytest.fail(f"{model_name} does not load:\n{error}", pytrace=False)

    result = compare.compare_models(reference, model)
    tally.compared[model_name] = result
    if result.differences:
        lines = "\n".join(f"  {difference}" for difference in result.differences[:MOST_LISTED])
        if len(result.differences) > MOST_LISTED:
            lines += f"\n  and {len(result.differences) - MOST_LISTED} more"
        pytest.fail(f"{model_name}: {len(result.differences)} fields differ\n{lines}", pytrace=False)
    pending = f", pending {', '.join(result.pending)}" if result.pending else ""
    print(f"{model_name}: {result.fields} fields equal, worst {result.worst:.2g}{pending}")
