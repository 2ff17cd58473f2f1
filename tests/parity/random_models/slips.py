"""Documents with a few slips in them."""

import copy
import random

from random_models.generator import document


def mutated(seed, changes=2):
    """The random document of this seed with a few slips in it."""
    rng = random.Random(f"slips {seed}")
    made = document(seed)
    for _ in range(rng.randint(1, changes)):
        root = made.files[rng.choice(list(made.files))]
        nodes = list(root.walk())
        node = rng.choice(nodes)
        action = rng.choice(("attribute", "attribute", "attribute", "value", "value", "delete", "copy", "move", "add"))
        if action == "attribute" and node.attributes:
            del node.attributes[rng.choice(list(node.attributes))]
        elif action == "value" and node.attributes:
            name = rng.choice(list(node.attributes))
            words = node.attributes[name].split()
            slips = ["0", "-1", "1", "0 0", "0 0 0", "1e9", " ".join(words[:-1]), " ".join([*words, "1"]), "false"]
            slips += ["-" + w for w in words[:1]] + [" ".join(reversed(words)), "auto", "true", "3"]
            node.attributes[name] = rng.choice(slips)
        elif action == "add":
            # an attribute that others of its kind have
            donors = [n for n in nodes if n.tag == node.tag and n.attributes.keys() - node.attributes.keys()]
            if donors:
                donor = rng.choice(donors)
                name = rng.choice(sorted(donor.attributes.keys() - node.attributes.keys()))
                node.attributes[name] = donor.attributes[name]
        elif node.children:
            number = rng.randrange(len(node.children))
            if action == "delete":
                del node.children[number]
            elif action == "copy":
                twin = copy.deepcopy(node.children[number])
                for n in twin.walk():
                    if rng.random() < 0.9:
                        n.attributes.pop("name", None)
                node.children.append(twin)
            elif action == "move":
                host = rng.choice(nodes)
                taken = node.children[number]
                if all(n is not host for n in taken.walk()):
                    del node.children[number]
                    host.children.insert(rng.randint(0, len(host.children)), taken)
    return made
