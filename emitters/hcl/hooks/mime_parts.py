"""The parts of a cloudinit_config, in a form in which cloud-init reads every character.

The provider declares each part as 7bit text. cloud-init drops a part that has other characters than ASCII: a script
with an umlaut in a comment never runs. Such a part becomes a message of one part in base64, as Heat writes it.
"""

from __future__ import annotations

from emitters.hcl.emission import Emission
from emitters.hcl.plan import referrals
from emitters.hcl.plan.planner import ConversionPlan
from emitters.hcl.tree.nodes import Argument, Block, Expr, Fn, StringTemplate, Traversal, Tuple, walk_expression
from transpile.diagnostics import codes
from transpile.model import heat_types, ir

BOUNDARY = "BASE64"  # has no meaning; base64 has no line that begins with `--`
ONLY_ASCII = "cloud-init drops a part of a MIME message if one of these has other characters than ASCII: {}."
PLAIN_TYPES = ("number", "boolean")
WHY = "in base64: cloud-init drops a part of 7bit text with other characters than ASCII"


def encode_part_if_needed(emission: Emission, part: Block) -> bool:
    """Encodes a part if its text is known to have other characters than ASCII. Returns whether it does. The parameters
    without a known value that the text of another part reads are reported.
    """
    content, kind = part.find_argument("content"), part.find_argument("content_type")
    if content is None or kind is None:
        return False
    texts, open_parameters = find_texts(emission, content.value)
    if all(map(str.isascii, texts)):
        for name in open_parameters:
            emission.log.gather_name(codes.ONLY_ASCII_IN_PART, ONLY_ASCII, name, "", content)
        return False
    headers: list[Expr] = [join_texts("Content-Type: ", kind.value, "; charset=utf-8")]
    if (filename := part.find_argument("filename")) is not None:
        headers.append(join_texts('Content-Disposition: attachment; filename="', filename.value, '"'))
        part.body.remove(filename)
    headers.append("Content-Transfer-Encoding: base64")
    lines = (f"--{BOUNDARY}", *headers, "", Fn("base64encode", (content.value,)), f"--{BOUNDARY}--")
    encoded = Argument("content", Fn("join", ("\r\n", Tuple(lines))), content.span)
    part.body[part.body.index(kind)] = Argument("content_type", f"multipart/mixed; boundary={BOUNDARY}", kind.span)
    part.body[part.body.index(content)] = encoded
    part.comments.append(f"{WHY[0].upper()}{WHY[1:]}.")
    return True


def join_texts(before: str, value: Expr, after: str) -> Expr:
    """A text with a value in it."""
    return f"{before}{value}{after}" if isinstance(value, str) else StringTemplate((before, value, after))


def find_texts(emission: Emission, expr: Expr) -> tuple[list[str], list[str]]:
    """The known texts in an expression: its literals, those of the locals and files that it reads, and the values of
    its parameters; and the names of the parameters that may have any text.
    """
    parameters = {label: name for name, label in emission.names.variables.items()}
    locals_, files = emission.blocks.locals, emission.blocks.files
    texts, open_parameters = list[str](), list[str]()
    seen, waiting = set[str](), [expr]
    while waiting:
        for node in walk_expression(waiting.pop()):
            match node:
                case str():
                    texts.append(node)
                case StringTemplate(pieces):
                    texts += [piece for piece in pieces if isinstance(piece, str)]
                case Fn("file" | "templatefile", (StringTemplate((Traversal(("path", "module")), str(path))), *_)):
                    text = files.get(path.removeprefix("/"), "")
                    texts.append(text if isinstance(text, str) else text.decode(errors="replace"))
                case Traversal(("local", label)) if label in locals_ and label not in seen:
                    seen.add(label)
                    waiting.append(locals_[label].value)
                case Traversal(("var", label)) if label in parameters and label not in seen:
                    seen.add(label)
                    values = emission.unit.values_of_parameter(name := parameters[label])
                    texts += map(str, values)
                    declared = emission.unit.template.parameters.get(name)
                    if not values and declared is not None and declared.type not in PLAIN_TYPES:
                        open_parameters.append(name)
    return texts, open_parameters


def nested_messages(plan: ConversionPlan) -> dict[str, bool]:
    """The messages that other messages contain; whether their parts go into those, and nothing else reads them."""
    contained: dict[str, bool] = {}
    for name, owners in referrals.find_referrers(plan.stack).items():
        inner = plan.template.resources.get(name)
        if inner is not None and inner.kind == heat_types.MULTIPART_MIME:
            references = [ref for owner in owners for ref in owner.refs if getattr(ref, "name", "") == name]
            nested = [part for owner in owners if isinstance(owner, ir.Resource) for part in list_nested(plan, owner)]
            contained[name] = 0 < len(references) == nested.count(inner)
    return contained


def list_nested(plan: ConversionPlan, outer: ir.Resource) -> list[ir.Resource]:
    """The messages whose parts take the place of a part of another message."""
    parts = outer.find_entry("parts") if outer.kind == heat_types.MULTIPART_MIME else None
    listed = parts.value.items if parts is not None and isinstance(parts.value, ir.Seq) else ()
    messages = [nested_message(plan, item) for item in listed if isinstance(item, ir.Map)]
    return [] if plan.is_embedded(outer.name) else [message for message in messages if message is not None]


def nested_message(plan: ConversionPlan, part: ir.Map) -> ir.Resource | None:
    """The message that a part of another message is, if its parts can take the place of the part."""
    config = part.get("config") if part.get("type") == ir.Lit("multipart") else None
    inner = plan.template.resources.get(config.name) if isinstance(config, ir.ResourceRef) else None
    if inner is None or inner.kind != heat_types.MULTIPART_MIME or inner.is_conditional:
        return None
    return None if plan.is_embedded(inner.name) or plan.first_boot_deployments(inner.name) else inner
