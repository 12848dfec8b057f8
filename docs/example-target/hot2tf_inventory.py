"""A target for hot2tf: an inventory of a stack in Markdown, one page for each template."""

from pathlib import PurePosixPath

from transpile.emit import DIRECTORY, LOAD, Diagnostic, Option, Output, Rule, Target

UNDESCRIBED = Rule(
    "INV001",
    "warning",
    "A template without a description",
    "The page of a template begins with its description, and this one has none.",
    "Add a description to the template.",
)


def emit(stack, options):
    """The page of the stack's template, and those of the nested templates that it uses."""
    files, found, resources = {}, [], {}
    pages = {"index.md": stack}
    while len(files) < len(pages):
        page, one = list(pages.items())[len(files)]
        if not one.template.description:
            found.append(Diagnostic("INV001", "This template has no description.", one.template.source))
        lines = [f"# {options['title'] if one is stack else page}", "", one.template.description or "", ""]
        for name, resource in one.template.resources.items():
            lines.append(f"- {name}: {one.types[name]}")
            resources[f"{page}/{name}"] = {"type": one.types[name]}
            if nested := one.nested.get((name, resource.type)):
                inner = PurePosixPath(nested.file).name + ".md"
                pages.setdefault(inner, nested.stack)
                lines[-1] += f" ([{inner}]({inner}))"
        files[page] = "\n".join(lines) + "\n"
    return Output(files, {"resources": resources}, found)


def owns(name, content):
    """Whether an earlier run may have written this file."""
    return name.endswith(".md") and content.startswith(b"# ")


TARGET = Target(
    "inventory",
    emit,
    writes=DIRECTORY,
    nested=LOAD,
    options=(Option("title", "The heading of the first page.", default="Inventory"),),
    rules=(UNDESCRIBED,),
    next_steps="open {output}/index.md",
    owns=owns,
)
