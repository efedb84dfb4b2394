# SPDX-License-Identifier: BSD-2-Clause
"""Makes a page for each public header from the XML that Doxygen writes about include/tutti."""

import html
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from pathlib import Path

INTRODUCTION = """# API reference

The public headers of `libtutti`, [include/tutti](../source/include/tutti.md). Nothing else of the
library is installed. Start with the guides:

- [Run FMUs from a C++ program](../use-the-library.md): a complete program, and how to build it
- [Step a run](../session.md): what a `Session` does, function by function
- [Integrate equations](../integrate.md) without an FMU
- [Extend Tutti](../extend.md): a coupling method, a result format, a component of your own

| header | declares | for |
| --- | --- | --- |
"""


@dataclass
class Item:
    """A type, function, alias or constant; `element` is its definition."""
    kind: str
    name: str  # with its classes, without tutti::
    header: str
    line: int
    element: ElementTree.Element
    members: list = field(default_factory=list)

    @property
    def anchor(self):
        return re.sub(r"\W+", "-", self.name.replace("~", "destructor-")).strip("-").lower()


def place(element):
    location = element.find("location")
    return Path(location.get("file")).stem, int(location.get("line"))


def text_of(element):
    return "".join(element.itertext()) if element is not None else ""


def escape(text):
    return re.sub(r"([\\`*_\[\]|])", r"\\\1", html.escape(text, quote=False))


def tidy_type(text):
    """Doxygen puts blanks into templates and before references."""
    text = re.sub(r"\s+", " ", text)
    return re.sub(r"(?<=[\w>]) (?=[&*])", "", text.replace("< ", "<").replace(" >", ">"))


def is_routine(member, owner):
    """Destructors, assignments, and constructors that copy or move: every class has them."""
    name = member.findtext("name")
    if name.startswith("~") or name == "operator=":
        return True
    types = [tidy_type(text_of(one.find("type"))) for one in member.findall("param")]
    is_constructor = owner.findtext("compoundname").endswith(f"::{name}")
    return is_constructor and types in ([f"const {name}&"], [f"{name}&&"])


# Tags in code stand between control characters until the code is escaped.
def bold(words):
    return f"\1b\2{words}\1/b\2"


def linked_words(words, address):
    return f"\1a href='{address}'\2{words}\1/a\2"


def code_html(code):
    return html.escape(code, quote=False).replace("\1", "<").replace("\2", ">")


def signature(code):
    return f'<pre class="signature"><code>{code_html(code)}</code></pre>\n\n'


class Reference:
    """What the headers declare, by Doxygen's identifiers, and how pages show it."""

    def __init__(self, folder, root):
        self.root = root
        self.items = {}  # by Doxygen's id
        roots = [ElementTree.parse(path).getroot() for path in sorted(folder.glob("*.xml"))]
        compounds = [compound for one in roots for compound in one.iter("compounddef")]
        for compound in compounds:
            if compound.get("kind") in ("class", "struct", "union") and compound.get("prot") == "public":
                self.add(compound.get("kind"), compound)
        for compound in compounds:
            owner = self.items.get(compound.get("id"))
            name = compound.findtext("compoundname")
            if owner or (compound.get("kind") == "namespace" and name == "tutti"):
                self.add_members(compound, owner)

    def add(self, kind, element, owner=None):
        name = element.findtext("compoundname") or element.findtext("name")
        name = f"{owner.name}::{name}" if owner else name.removeprefix("tutti::")
        if "<" not in name and element.find("location") is not None:
            item = Item(kind, name, *place(element), element)
            self.items[element.get("id")] = item
            return item
        return None

    def add_members(self, compound, owner):
        for member in compound.iter("memberdef"):
            # list_words() is for words.hpp; the words of an enumeration are those of its values.
            if (member.get("prot") == "private" or member.get("kind") == "friend"
                    or member.findtext("name") == "list_words" or is_routine(member, compound)):
                continue
            item = self.add(member.get("kind"), member, owner)
            if owner and item:
                owner.members.append(item)

    def headers(self):
        """Header name to its items in the order of the file, without members of classes."""
        of_classes = {id(member) for item in self.items.values() for member in item.members}
        found = {path.stem: [] for path in sorted((self.root / "include/tutti").glob("*.hpp"))}
        for item in sorted(self.items.values(), key=lambda item: item.line):
            if id(item) not in of_classes and item.header in found:
                found[item.header].append(item)
        return found

    # --- comments as Markdown

    def link(self, element, header, words):
        item = self.items.get(element.get("refid"))
        if not item:
            return words
        page = "" if item.header == header else f"{item.header}.md"
        return f"[{words}]({page}#{item.anchor})"

    def markdown(self, element, header):
        """The text of an element and those in it."""
        parts = [escape(element.text or "")]
        for child in element:
            parts += [self.node(child, header), escape(child.tail or "")]
        return "".join(parts)

    def node(self, node, header):
        def inner():
            return self.markdown(node, header)
        match node.tag:
            case "computeroutput":
                return f"`{text_of(node)}`"
            case "ref":
                return self.link(node, header, escape(text_of(node)))
            case "ulink":
                return f"[{escape(text_of(node))}]({node.get('url')})"
            case "verbatim" | "programlisting":
                lines = text_of(node).rstrip().split("\n")
                return "\n\n```cpp\n" + "\n".join(re.sub("^ ", "", line) for line in lines) + "\n```\n\n"
            case "parameterlist":
                label = "Throws" if node.get("kind") == "exception" else "Parameters"
                rows = [f"`{text_of(one.find('parameternamelist')).strip()}`"
                        + (" " + self.markdown(one.find("parameterdescription"), header)).rstrip()
                        for one in node.iter("parameteritem")]
                return f"\n\n**{label}** {'; '.join(rows)}\n\n"
            case "simplesect":
                labels = {"pre": "Precondition", "post": "Postcondition", "return": "Returns"}
                return f"\n\n**{labels.get(node.get('kind'), 'Note')}** {inner().strip()}\n\n"
            case "itemizedlist":
                return "\n\n" + "\n".join(f"- {self.markdown(one, header).strip()}"
                                          for one in node.iter("listitem")) + "\n\n"
            case "para":
                return inner().strip() + "\n\n"
            case _:
                return inner()

    def comment(self, item, header):
        parts = [self.markdown(item.element.find(tag), header).strip()
                 for tag in ("briefdescription", "detaileddescription")
                 if item.element.find(tag) is not None]
        return re.sub(r"\n(?:[ \t]*\n)+", "\n\n", "\n\n".join(filter(None, parts)))

    # --- declarations as HTML, types linked

    def linked(self, element, header):
        """The code of an element, with links to the types that have a section."""
        if element is None:
            return ""
        parts = [element.text or ""]
        for child in element:
            item = self.items.get(child.get("refid", ""))
            words = text_of(child)
            if item:
                page = "" if item.header == header else f"{item.header}.html"
                words = linked_words(words, f"{page}#{item.anchor}")
            parts += [words, child.tail or ""]
        return tidy_type("".join(parts)).strip()

    def function(self, item, header):
        element, name = item.element, item.name.rpartition("::")[2]
        words = [word for word, given in (("static", element.get("static") == "yes"),
                                          ("explicit", element.get("explicit") == "yes"),
                                          ("virtual", element.get("virt") != "non-virtual")) if given]
        result = self.linked(element.find("type"), header)
        head = " ".join(filter(None, [*words, result, bold(name)]))
        parameters = [self.parameter(parameter, header) for parameter in element.findall("param")]
        arguments = element.findtext("argsstring") or ""
        tail = "".join(f" {word}" for word, given in (
            ("const", element.get("const") == "yes"), ("noexcept", element.get("noexcept") == "yes"),
            ("= 0", arguments.endswith("=0")), ("= delete", arguments.endswith("=delete"))) if given)
        one_line = f"{head}({', '.join(parameters)}){tail}"
        if len(re.sub("\1.*?\2", "", one_line)) > 84 and parameters:
            one_line = f"{head}(\n    " + ",\n    ".join(parameters) + f"){tail}"
        return self.template(element, header) + one_line

    def parameter(self, element, header):
        default = self.linked(element.find("defval"), header)
        return " ".join(filter(None, [self.linked(element.find("type"), header),
                                      element.findtext("declname"), default and f"= {default}"]))

    def template(self, element, header):
        parameters = element.find("templateparamlist")
        if parameters is None:
            return ""
        words = [self.parameter(one, header) for one in parameters.findall("param")]
        return f"template <{', '.join(words)}>\n"

    def variable(self, item, header):
        initial = self.linked(item.element.find("initializer"), header)
        initial = f" {initial}" if initial.startswith("=") else initial
        if initial.count("\n") or len(initial) > 60:
            initial = ""
        name = bold(item.name.rpartition("::")[2])
        return f"{self.linked(item.element.find('type'), header)} {name}{initial}"

    # --- pages

    def table(self, title, rows):
        if not rows:
            return ""
        lines = ['<div class="members" markdown>', "", f"| {title} | |", "| --- | --- |"]
        for anchor, code, text in rows:
            lines.append(f'| <code id="{anchor}">{code_html(code)}</code> | {" ".join(text.split())} |')
        return "\n".join([*lines, "", "</div>", "", ""])

    def rows(self, items, header):
        return [(item.anchor, self.variable(item, header), self.comment(item, header))
                for item in items]

    def enum(self, item, header):
        values = [(f"{item.anchor}-{value.findtext('name')}", bold(value.findtext("name")),
                   " ".join(self.markdown(value.find(tag), header).strip()
                            for tag in ("briefdescription", "detaileddescription")))
                  for value in item.element.findall("enumvalue")]
        return self.table("value", values)

    def functions(self, items, header, level):
        """One heading for all functions of a name that follow each other."""
        parts, last = [], None
        for item in items:
            short = item.name.rpartition("::")[2]
            if short != last:
                parts.append(f"{'#' * level} {escape(short)} {{ #{item.anchor} .function }}\n\n")
            last = short
            parts += [signature(self.function(item, header)), self.comment(item, header), "\n\n"]
        return "".join(parts)

    def type_section(self, item, header):
        bases = [self.linked_base(base, header) for base in item.element.findall("basecompoundref")]
        declaration = f"{item.kind} {bold(item.name)}" + (" : " + ", ".join(bases) if bases else "")
        parts = [f"## {item.name} {{ #{item.anchor} }}\n\n", signature(declaration),
                 self.comment(item, header), "\n\n"]
        if item.kind == "enum":
            return "".join([*parts, self.enum(item, header)])
        for member in item.members:
            if member.kind == "enum":
                parts += [f"### {member.name} {{ #{member.anchor} .function }}\n\n",
                          self.comment(member, header), "\n\n", self.enum(member, header)]
        fields = [member for member in item.members if member.kind in ("variable", "typedef")]
        parts.append(self.table("member", self.rows(fields, header)))
        parts.append(self.functions([one for one in item.members if one.kind == "function"], header, 3))
        return "".join(parts)

    def linked_base(self, base, header):
        item = self.items.get(base.get("refid", ""))
        page = "" if item and item.header == header else f"{item.header}.html" if item else ""
        return linked_words(base.text, f"{page}#{item.anchor}") if item else base.text

    def about(self, header):
        """The comment before `namespace tutti`, or of the first type."""
        source = (self.root / f"include/tutti/{header}.hpp").read_text()
        found = re.search(r"((?:^///.*\n)+)namespace tutti \{", source, re.MULTILINE)
        if found:
            return escape(re.sub(r"^/// ?", "", found[1], flags=re.MULTILINE).strip())
        return ""

    def page(self, header, items):
        include = signature(f"#include <tutti/{header}.hpp>")
        parts = [f"# tutti/{header}.hpp\n\n{include}{self.about(header)}\n\n",
                 f"[The header as it stands](../source/include/tutti/{header}.hpp.md)\n\n"]
        functions = [item for item in items if item.kind == "function"]
        if functions:
            parts += ["## Functions\n\n", self.functions(functions, header, 3)]
        parts += [self.type_section(item, header) for item in items
                  if item.kind in ("class", "struct", "union", "enum")]
        rest = [item for item in items if item.kind in ("typedef", "variable")]
        if rest:
            parts += ["## Aliases and constants\n\n", self.table("name", self.rows(rest, header))]
        return "".join(parts)

    def index_row(self, header, items):
        types = [item for item in items if item.kind in ("class", "struct", "union", "enum")
                 and "::" not in item.name]
        functions = [item for item in items if item.kind == "function"]
        shown = {item.name: item for item in [*types, *functions]}
        names = ", ".join(f"[{escape(name)}]({header}.md#{item.anchor})"
                          for name, item in list(shown.items())[:6])
        more = ", ..." if len(shown) > 6 else ""
        comments = (self.comment(item, header) for item in [*types, *functions])
        about = self.about(header) or next(filter(None, comments), "")
        about = re.sub(r"\]\((?=#)", f"]({header}.md", " ".join(about.split()))
        first = re.split(r"(?<=[.:])\s", about)[0].rstrip(":")
        return f"| [{header}.hpp]({header}.md) | {names}{more} | {first} |\n"

    def undocumented(self):
        """Public functions without a comment on any overload; constructors and operators need none."""
        documented = {item.name for item in self.items.values() if self.comment(item, item.header)}
        for item in self.items.values():
            short = item.name.rpartition("::")[2]
            owner = item.name.rpartition("::")[0].rpartition("::")[2]
            if item.kind != "function" or short == owner or short.startswith("operator"):
                continue
            if item.name not in documented:
                yield f"include/tutti/{item.header}.hpp:{item.line}: {item.name}"


def make_pages(folder, pages, root):
    """Writes the pages; returns their navigation and the functions without a comment."""
    reference = Reference(folder, root)
    pages.mkdir(parents=True, exist_ok=True)
    index, navigation = [INTRODUCTION], ["api/index.md"]
    for header, items in reference.headers().items():
        (pages / f"{header}.md").write_text(reference.page(header, items))
        index.append(reference.index_row(header, items))
        navigation.append({f"{header}.hpp": f"api/{header}.md"})
    (pages / "index.md").write_text("".join(index))
    return navigation, sorted(reference.undocumented())
