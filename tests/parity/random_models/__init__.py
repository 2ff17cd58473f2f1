"""Random MJCF documents for the comparison with the reference: the same seed gives the same document.

    cd tests/parity
    ../../.venv/bin/python -m random_models SEED            prints the document
    ../../.venv/bin/python -m random_models SEED FOLDER     writes its files there

Each document uses a random selection of features, so that a failing one is small and every pair of
features meets somewhere. Most documents are meant to be valid, but validity is not proved here: the
reference decides. A section of the schema is a module here; what the attributes of an element may be stands in
attributes.py.
"""

from random_models.generator import Generator, document
from random_models.slips import mutated

__all__ = ["Generator", "document", "mutated"]
