"""Prints or writes a document; a negative seed asks for one with slips."""

import sys

from random_models import document, mutated


def main():
    seed = int(sys.argv[1])
    made = document(seed) if seed >= 0 else mutated(-seed)
    if len(sys.argv) > 2:
        print(made.write(sys.argv[2]))
    else:
        print(made.text())


main()
