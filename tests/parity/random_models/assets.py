"""<asset>: textures, materials and models to attach."""

from random_models import attributes as table
from random_models.document import Node


class Assets:
    def assets(self):
        node = Node("asset")
        if self.has("textures"):
            for _ in range(self.rng.randint(1, 3)):
                self.texture(node)
            node.add("texture", {"name": "woven", "builtin": "flat", "width": "2"})  # named by classes
        if self.has("materials"):
            for _ in range(self.rng.randint(1, 3)):
                self.material(node)
            node.add("material", {"name": "classy"})
        if self.has("attach"):
            for number in range(self.rng.randint(1, 2)):
                self.child_model(node, number)
        self.extras.assets(node)
        self.rng.shuffle(node.children)
        return node

    def texture(self, node):
        a = self.draw({}, table.TEXTURE)
        if self.chance(0.7):
            a["type"] = self.rng.choice(("2d", "cube", "skybox"))
        a["builtin"] = self.rng.choice(("gradient", "checker", "flat"))
        a["width"] = self.whole(1, 12)
        if a.get("type") == "2d":
            a["height"] = self.whole(1, 12)
        elif self.chance(0.5):
            a["height"] = str(6 * int(a["width"]))
        if self.chance(0.1):
            a["nchannel"] = "3" if self.chance(0.9) else "4"
        self.class_of(a)
        self.name(a, "texture", p=1, type=a.get("type", "cube"))
        node.add("texture", a)

    def material(self, node):
        a = self.draw({}, table.MATERIAL)
        self.class_of(a)
        self.name(a, "material", p=1)
        child = node.add("material", a)
        textures = self.candidates("texture", ())
        if textures and self.chance(0.5):
            child.attributes["texture"] = self.rng.choice(textures).name
        elif textures and self.chance(0.6) and not self.has("defaults"):
            for _ in range(self.rng.randint(1, 3)):
                role = "rgb occlusion roughness metallic normal opacity emissive rgba orm".split()
                child.add("layer", {"texture": self.rng.choice(textures).name, "role": self.rng.choice(role)})

    def material_ref(self, attributes):
        if self.has("materials") and self.chance(0.3):
            attributes["material"] = self.pick("material", ()).name

    def child_model(self, node, number):
        child = type(self)(self.rng.random(), self)
        file = f"child{number}.xml"
        document = child.document(file)
        self.files.update(document.files)
        a = {"file": file}
        if self.chance(0.7):
            a["name"] = f"model{number}"
        name = a.get("name") or document.files[file].attributes.get("model", "MuJoCo Model")
        if name in (other for other, _ in self.child_models):
            name = a["name"] = f"model{number}"
        node.add("model", a)
        self.child_models.append((name, child))
