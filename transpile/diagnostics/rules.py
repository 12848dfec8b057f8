"""Every diagnostic code: its severity, what it means and what to do.

The easy rule to break: a code is never reused for something else, and each one that the program can say stands here
(a test compares both ways). 1xx reading · 2xx names · 3xx meaning · 4xx mapping of resource types · 5xx what the
target cannot say · 6xx surely not meant · 7xx TOSCA · 9xx our own fault.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from transpile.model.records import node

if TYPE_CHECKING:
    from collections.abc import Mapping


@final
@node
class Rule:
    """`severity`: error (nothing is written), warning (something means less or other than before) or info (exact, but
    worth knowing).
    """

    code: str
    severity: str
    title: str
    why: str
    hint: str = ""


E, W, I = "error", "warning", "info"  # noqa: E741 - a table reads better with short words

TABLE = (
    # 1xx: reading
    Rule(
        "HOT101",
        E,
        "The text is neither YAML nor JSON",
        "Heat reads YAML 1.1, and strict JSON where the text begins with a brace.",
    ),
    Rule(
        "HOT102",
        E,
        "The text has bytes or characters that cannot be read",
        "Templates are UTF-8 without control characters.",
        "Save the file as UTF-8.",
    ),
    Rule(
        "HOT103",
        E,
        "This is not a template",
        "A template is a map with heat_template_version, AWSTemplateFormatVersion or HeatTemplateFormatVersion.",
        "Begin it with heat_template_version: 2021-04-16.",
    ),
    Rule(
        "HOT104",
        E,
        "Heat does not know this version",
        "The value of the version key decides which functions and sections there are; Heat refuses any other.",
    ),
    Rule(
        "HOT105",
        E,
        "Two version keys",
        "Heat calls a template with two version keys ambiguous and refuses it.",
        "Keep one of them.",
    ),
    Rule("HOT106", E, "Several YAML documents", "Heat reads one document.", "Split the file."),
    Rule(
        "HOT107",
        E,
        "The document explodes",
        "Aliases that refer to aliases can make a small text into a huge document.",
        "Write the values out, or use fewer aliases.",
    ),
    Rule(
        "HOT108",
        E,
        "Nested too deeply",
        "No template needs collections nested this deep; reading on could exhaust the machine.",
    ),
    Rule("HOT109", E, "A recursive alias", "An alias inside the collection that it names has no finite value."),
    Rule(
        "HOT110",
        E,
        "A value that Heat cannot read",
        "Tags other than YAML's own are refused by Heat, and keys must be scalars.",
    ),
    Rule(
        "HOT111",
        E,
        "A Jinja2 source",
        "The text becomes a template only when it is rendered with values.",
        "--render KEY=VALUE or --render FILE renders sources that are called *.j2.yaml.",
    ),
    Rule(
        "HOT112",
        W,
        "A key occurs twice",
        "YAML forbids it, Heat takes the last value without a word.",
        "Remove the one that does not count.",
    ),
    Rule("HOT113", E, "The file cannot be read", "It does not exist, is a directory, or may not be opened."),
    Rule(
        "HOT114",
        E,
        "An environment instead of a template",
        "Environments give values to a template's parameters; they cannot be converted alone.",
    ),
    Rule(
        "HOT115",
        E,
        "The file is too large",
        "Heat refuses templates over 512 KiB unless it is told otherwise; hot2tf stops at 8 MiB.",
    ),
    Rule("HOT116", E, "Too many errors", "After a hundred errors the rest is not looked at.", "Mend these first."),
    Rule(
        "HOT117",
        E,
        "A Jinja2 source that makes no template",
        "Its language is Jinja2's, without names that nobody gave, in a sandbox with little time and memory.",
        "--render NAME=VALUE gives a name its value.",
    ),
    Rule("HOT120", E, "An unknown section", "Heat refuses sections that the template's version does not have."),
    Rule(
        "HOT121",
        E,
        "The wrong shape",
        "A section or declaration must be a map (parameter_groups and its lists excepted).",
    ),
    Rule("HOT122", E, "An unknown key", "HOT refuses keys that it does not know in resources and parameters."),
    Rule("HOT123", E, "A key is missing", "A resource needs a type, an output a value, a parameter a type."),
    Rule("HOT124", E, "A value that this key cannot have", "Heat refuses the template because of it."),
    Rule(
        "HOT125",
        E,
        "An unknown parameter type",
        "Parameters are string, number, boolean, comma_delimited_list or json (spelled otherwise in CFN templates).",
    ),
    Rule(
        "HOT126",
        E,
        "A malformed constraint",
        "Each constraint is a map with one kind of check and, if wanted, a description.",
    ),
    Rule("HOT130", E, "A malformed call", "The function does not take such an argument."),
    Rule(
        "HOT131",
        E,
        "A function that this version no longer has",
        "Heat refuses functions that were removed before the template's version.",
        "Use the function that replaced it: get_param, get_resource, list_join, str_replace, str_split, or a path.",
    ),
    Rule(
        "HOT132",
        E,
        "A function where a condition is expected",
        "Conditions are computed before anything else, from parameters alone.",
    ),
    Rule(
        "HOT133",
        E,
        "Not a condition",
        "A condition is a boolean, the name of one, or a function that yields one; a definition is no bare name.",
    ),
    Rule(
        "HOT134",
        I,
        "A map that looks like a function",
        "Other versions of HOT have a function of this name; in the template's version it is a map like any other.",
        "If the function is meant, raise heat_template_version; hot2tf writes what Heat makes of it now.",
    ),
    Rule(
        "HOT135",
        W,
        "A key of a function that Heat looks past",
        "str_replace and repeat take what they know out of their argument; any other key there is a mistake.",
    ),
    Rule(
        "HOT140",
        E,
        "A malformed environment",
        "An environment is a map of parameters, parameter_defaults, resource_registry and a few others.",
    ),
    Rule(
        "HOT141",
        I,
        "A part of the environment without a counterpart",
        "Hooks, event sinks, restricted actions and the like steer Heat's engine.",
        "",
    ),
    Rule(
        "HOT142",
        E,
        "Values that cannot be merged",
        "A parameter has one strategy in all environments, and only texts, lists and maps can be put together.",
    ),
    Rule(
        "HOT143",
        E,
        "A hook, action or event sink that Heat does not know",
        "Hooks stop before or after create, update and delete; restricted actions are update and replace.",
    ),
    Rule(
        "HOT160",
        W,
        "Capabilities, which Heat itself does not know",
        "Capabilities of templates were specified for Heat and never became part of it: hot2tf resolves them, and Heat "
        "refuses the section.",
        "Convert with hot2tf; for Heat itself, leave them out and name one template.",
    ),
    Rule(
        "HOT161",
        E,
        "Malformed capabilities",
        "Capabilities and requirements are maps of texts, numbers, booleans or lists of these; the candidates for a "
        "type are a list of names.",
    ),
    Rule(
        "HOT162",
        E,
        "No candidate for a type",
        "Exactly one of the candidates for a type must have the capabilities that the environments require, and none "
        "has.",
        "Require what one of them has, or correct the capabilities that it declares.",
    ),
    Rule(
        "HOT163",
        E,
        "Several candidates for a type",
        "Exactly one of the candidates for a type must have the capabilities that the environments require, and more "
        "than one has.",
        "Require a capability that tells them apart.",
    ),
    Rule(
        "HOT164",
        W,
        "A template that claims to be something else",
        "The only template for a type is taken whatever it declares, but its capabilities speak against it.",
        "Name another template, or correct the capabilities or what is required.",
    ),
    # 2xx: names
    Rule(
        "HOT201", E, "An unknown parameter", "get_param and Ref name a parameter of the template or a pseudo parameter."
    ),
    Rule("HOT202", E, "An unknown resource", "References and depends_on name a resource of the same template."),
    Rule("HOT203", E, "An unknown condition", "Conditions are referred to by their names in the section conditions."),
    Rule("HOT204", E, "Dependencies in a circle", "Nothing in the circle could be created first."),
    Rule(
        "HOT205",
        E,
        "An unknown mapping or key of one",
        "Fn::FindInMap names a mapping, a key in it and a key below that.",
    ),
    Rule(
        "HOT206",
        E,
        "A file that is not there",
        "get_file names a file relative to the template; Heat's client refuses the template without it.",
    ),
    Rule("HOT207", E, "One name for two things", "A resource and a parameter may not have the same name."),
    Rule("HOT208", E, "A name that Heat refuses", "Names of resources may not contain a slash."),
    Rule(
        "HOT209",
        E,
        "A value for a parameter that the template has not got",
        "Heat refuses unknown parameters given on the command line or in the first environment.",
    ),
    Rule(
        "HOT210",
        E,
        "A nested template",
        "This resource is a template of its own, and the target takes none.",
        "Convert the nested template by itself.",
    ),
    Rule(
        "HOT211",
        I,
        "A value for a parameter that the template has not got, ignored",
        "Heat ignores unknown parameters in all environments but the first.",
    ),
    Rule(
        "HOT212",
        E,
        "An unknown attribute",
        "Heat checks attributes of its own resource types when it validates a template.",
    ),
    Rule(
        "HOT213",
        E,
        "A parameter group that Heat refuses",
        "Each name in a group is a parameter of the template, and each parameter stands in one group at most.",
    ),
    Rule(
        "HOT218",
        E,
        "A reference to a resource that is not there",
        "Heat leaves a resource out when its condition does not hold, and refuses what refers to it then.",
        "Guard the reference by the same condition.",
    ),
    Rule(
        "HOT219",
        E,
        "A value that is needed to validate the template",
        "Heat evaluates conditions, and paths of get_attr, when it validates a template, and refuses it where a "
        "parameter that they ask for has no value.",
        "Give the value with --parameter or -e.",
    ),
    Rule(
        "HOT220",
        W,
        "A template that cannot stand for a type of Heat's",
        "Where a template is put in the place of a type of Heat's own, Heat compares parameters with properties, and "
        "outputs with attributes, when it creates the stack.",
    ),
    # 3xx: meaning
    Rule(
        "HOT214",
        E,
        "A resource type that Heat does not have",
        "Heat refuses types that neither it, nor an environment, nor a plug-in of the cloud knows.",
    ),
    Rule(
        "HOT215",
        E,
        "A nested template that cannot be read",
        "Heat's client sends all templates along that are named as types, by the template or by an environment.",
    ),
    Rule(
        "HOT216",
        E,
        "Templates nested without end",
        "A template that leads to itself has no finite stack, and Heat takes five stacks inside one another at most.",
    ),
    Rule(
        "HOT217",
        W,
        "A nested template that was not looked at",
        "Files outside the template's directory, and URLs, are read only if they are allowed.",
        "Allow it with --root or --allow.",
    ),
    Rule(
        "HOT301",
        E,
        "An unknown property",
        "Heat checks the properties of its own resource types against their schemas.",
    ),
    Rule(
        "HOT302",
        E,
        "A default or value that its own parameter refuses",
        "Heat checks defaults against type and constraints, even if a value is given.",
    ),
    Rule(
        "HOT303",
        E,
        "A constraint that this type cannot have",
        "length is for texts, lists and maps, range and modulo for numbers, allowed_pattern for texts; json has no "
        "allowed_values.",
    ),
    Rule(
        "HOT304",
        W,
        "A condition that is always false",
        "The resource is never created, and stands nowhere in the output.",
    ),
    Rule(
        "HOT305", W, "A value that cannot be a number here", "The plain decimal form of it differs, or there is none."
    ),
    Rule(
        "HOT306",
        W,
        "A value that the property cannot have",
        "Heat accepts the template, and refuses the value when it creates the resource: kept in Heat, it fails there.",
        "Write a value of the property's type.",
    ),
    Rule(
        "HOT307",
        W,
        "An unknown key inside a property",
        "Heat checks maps that its own types describe when it creates the stack, and refuses keys that they have not "
        "got.",
    ),
    Rule(
        "HOT308",
        E,
        "A property that Heat does not implement",
        "Some types have properties only because those of other clouds have them; Heat refuses to be given one.",
        "Remove the property.",
    ),
    Rule(
        "HOT309",
        W,
        "A property that is missing",
        "Heat validates the template without it, and refuses to create the stack.",
    ),
    Rule(
        "HOT310",
        E,
        "A condition that cannot be evaluated",
        "Heat evaluates the conditions that something asks for when it validates a template; they come to a boolean.",
    ),
    Rule(
        "HOT311",
        W,
        "A limit of Heat's",
        "Heat takes 1,000 resources in a stack and 512 KiB of template, unless the cloud has other limits.",
    ),
    Rule(
        "HOT312",
        W,
        "A value against a constraint of its property",
        "Heat validates the template, and refuses the value when it creates the stack.",
    ),
    Rule(
        "HOT313",
        W,
        "One property under two names",
        "Heat keeps old names of properties, and refuses to create a stack where both have a value.",
        "Keep the newer one.",
    ),
    Rule(
        "HOT314",
        W,
        "A function that fails with these values",
        "Heat validates the template, and fails when it comes to need the value.",
    ),
    Rule(
        "HOT315",
        W,
        "A custom constraint that Heat does not have",
        "Heat asks its plug-ins for the constraint when it creates the stack, and fails where none has it.",
    ),
    # 4xx: mapping of resource types
    Rule(
        "HOT401",
        W,
        "A property without a counterpart",
        "The provider has no argument for it; what it did is lost.",
        "Where it matters, keep the resource in Heat, or see to it by other means.",
    ),
    Rule(
        "HOT402",
        W,
        "A property that Heat ignores",
        "Heat accepts it and does nothing with it in this place; so does the output.",
    ),
    Rule(
        "HOT403",
        W,
        "A value that the provider refuses",
        "The provider does not take this value, or never sends it to the cloud; Heat passes it on.",
        "The resource stays with Heat. Another value may do.",
    ),
    Rule(
        "HOT404",
        W,
        "A list of names that is known only at run time",
        "Each name would have to be looked up, and nobody knows yet which ones.",
        "The resource stays with Heat. IDs, or a list that is written out, need no look-up.",
    ),
    Rule(
        "HOT410",
        I,
        "A name that Heat would make up",
        "Heat names what has no name after stack, resource and a random tail; the provider requires a name.",
        "Give the resource a name of its own, if another one is wanted.",
    ),
    Rule(
        "HOT411",
        I,
        "Looked up by name only",
        "Heat takes a name or an ID here; the known values are names, so the output takes names.",
        "Give a name; where only an ID is known, put it in the place of the lookup.",
    ),
    Rule(
        "HOT412",
        W,
        "A value that the template leaves open",
        "Heat passes on a null for what is required, and the service refuses it: such a template is to be filled in.",
        "A variable without default asks for it. Give the value in the template, or to the variable.",
    ),
    Rule(
        "HOT420",
        W,
        "An attribute that stands for another",
        "The provider has no attribute that means exactly this; the one written means the same in the usual case.",
    ),
    Rule(
        "HOT421",
        W,
        "A resource that acts a little differently",
        "The provider's resource makes the same object, but does something else with it than Heat does.",
    ),
    Rule(
        "HOT450",
        W,
        "Kept as Heat",
        "Terraform has no resource that does the same, so Heat keeps it, inside an openstack_orchestration_stack_v1.",
        "Heat must run on the cloud. Everything around it is native.",
    ),
    Rule(
        "HOT451",
        W,
        "An unknown resource type",
        "Heat's own types do not include it; it is taken for a plug-in and stays with Heat.",
        "If it is a misspelling, correct it.",
    ),
    Rule(
        "HOT452", W, "The stack's ID is another one", "Inside what stays Heat, OS::stack_id means the embedded stack."
    ),
    Rule(
        "HOT453",
        W,
        "A hidden parameter of the embedded stack",
        "Heat answers ****** for it, so a new value does not reach the stack by itself.",
        'Apply a new value with "terraform apply -replace" of the stack.',
    ),
    Rule(
        "HOT454",
        I,
        "Heat does nothing for this type any more",
        "The type is kept as a placeholder since the release named; older clouds still act on it.",
    ),
    Rule(
        "HOT455",
        E,
        "Neither Terraform nor what stays with Heat can say it",
        "It needs Heat, and what it refers to is not in Heat, nor can it be passed there.",
        "Rewrite the expression; a value that a parameter could hold is always possible.",
    ),
    Rule(
        "HOT456",
        W,
        "A stack without its files",
        "A stack of its own that stays with Heat gets its template as a text; the files that this names are not sent.",
        "Write into the template what it names.",
    ),
    Rule(
        "HOT457",
        I,
        "Something that Heat reads",
        "The provider does not read this, so a stack that makes nothing does: an attribute of what Terraform makes, or "
        "the address of a floating IP that exists already and is named by its ID.",
        "Leave out what asks for it, and the stack goes; so does that for an attribute with --prefer native.",
    ),
    # 5xx: what the target cannot say exactly
    Rule(
        "HOT503",
        W,
        "Retain",
        "Heat leaves the object behind when the stack goes; Terraform refuses to destroy it, and with it the rest.",
        'Run "terraform state rm" for it before destroying the rest.',
    ),
    Rule(
        "HOT504",
        W,
        "Snapshot",
        "Heat takes a snapshot before it deletes; Terraform cannot, so it refuses.",
        "Take the snapshot, then lift prevent_destroy.",
    ),
    Rule(
        "HOT505",
        I,
        "update_policy",
        "Terraform has no rolling updates; terraform apply -parallelism is the nearest thing.",
    ),
    Rule(
        "HOT506",
        W,
        "metadata",
        "Heat's metadata is read by agents inside the server through Heat; there is no Heat behind a native server.",
    ),
    Rule(
        "HOT520",
        I,
        "A hidden value that was not written",
        "Values of hidden parameters do not go into terraform.tfvars.",
        "Set the environment variable TF_VAR_ and the name, or give the value when Terraform asks.",
    ),
    Rule(
        "HOT521",
        I,
        "Another spelling of values",
        "Heat takes several spellings of the same value; Terraform takes one.",
    ),
    Rule("HOT523", W, "immutable", "Heat refuses to change the parameter's value later; Terraform does not."),
    Rule(
        "HOT524",
        W,
        "A hidden parameter where Terraform hides nothing",
        "Conditions and keys of instances cannot be sensitive: whether a condition holds, and the keys, are shown.",
    ),
    Rule(
        "HOT531",
        W,
        "A pattern that Terraform cannot check",
        "Terraform's regular expressions are RE2: no look-around, back references or possessive quantifiers.",
    ),
    Rule("HOT532", W, "A pattern that means a little less", r"\d, \w and \s are ASCII only in Terraform."),
    Rule(
        "HOT533",
        I,
        "A custom constraint that nobody checks beforehand",
        "Heat asks a plug-in; in Terraform the lookup or the API refuses, later.",
    ),
    Rule(
        "HOT541",
        W,
        "The stack's ID",
        "There is no stack in Terraform, so what uses its ID stays with Heat, in a stack that has one.",
    ),
    Rule("HOT542", I, "AWS::Region", "Heat's answer is always ap-southeast-1."),
    Rule(
        "HOT550",
        W,
        "An expression that HCL cannot say",
        "What owns the expression stays with Heat, which evaluates it as before.",
    ),
    Rule(
        "HOT551",
        W,
        "All attributes at once",
        "HCL has no map of all attributes with Heat's names; what owns the expression stays with Heat.",
    ),
    Rule(
        "HOT552",
        W,
        "A reference to what may be switched off",
        "Heat fails when the condition is false and the reference is used; so does the output.",
    ),
    Rule(
        "HOT553",
        W,
        "The ID of a group",
        "Heat answers with the ID of a nested stack, which a native group has not got.",
    ),
    Rule(
        "HOT560",
        W,
        "A group of fixed size",
        "With --prefer native a scaling group is a group of the size that it begins with; what would scale it is left "
        "out.",
        "Without --prefer native the group stays with Heat, and scales.",
    ),
    Rule(
        "HOT561",
        W,
        "A deployment that became user data",
        "With --prefer native a script that nobody waits for is a part of the user data: it runs at first boot, and a "
        "new value of an input makes a new server.",
        "Without --prefer native the server and its deployments stay with Heat.",
    ),
    Rule(
        "HOT562",
        W,
        "User data without Heat's wrapping",
        "Heat sends a MIME message with parts for cfn-init around it; here the text runs as it stands.",
        "Set user_data_format: RAW to say that the text is all.",
    ),
    Rule(
        "HOT564",
        W,
        "A UUID for the stack's ID",
        "With --prefer native a UUID that stays stands for the ID of the stack, which is none of Heat's.",
        "Without --prefer native, what uses the ID stays with Heat.",
    ),
    Rule(
        "HOT565",
        W,
        "An output that only Heat knows",
        "With --prefer native an output that reads what Terraform does not know is null.",
        "Without --prefer native, what it reads stays with Heat.",
    ),
    Rule(
        "HOT566",
        W,
        "A deployment over SSH",
        "With --prefer provisioners Terraform runs the script of a deployment over SSH; its machine must reach the "
        "server.",
        "Without it, the server and its deployments stay with Heat.",
    ),
    Rule(
        "HOT571",
        W,
        "Text that is not NFC or not UTF-8",
        "Terraform normalises every string; bytes that are not UTF-8 cannot be strings.",
    ),
    Rule(
        "HOT572",
        I,
        "JSON in other bytes",
        "Heat writes JSON with blanks and escapes, jsonencode() without; it reads the same.",
    ),
    Rule(
        "HOT573",
        W,
        "A check that is not made",
        "str_replace_vstrict refuses empty values when it runs; the output does not.",
    ),
    Rule(
        "HOT574",
        I,
        "The digest of a text that is not ASCII",
        "Heat hashes the text in Latin-1, Terraform in UTF-8: the same for ASCII, another digest for anything else.",
    ),
    Rule(
        "HOT575", W, "URL quoting", "urlencode() quotes like a query value; parts of a path may come out differently."
    ),
    Rule(
        "HOT576",
        I,
        "The order of keys",
        "Terraform visits the keys of a map in alphabetical order, Heat in the order written.",
    ),
    Rule(
        "HOT577", W, "A placeholder inside a value", "Heat replaces the index or loop variable in resolved values too."
    ),
    Rule(
        "HOT578",
        I,
        "Values of several types compared",
        "What stands in a json parameter may be a number. Heat compares as Python does, where 1 equals true and no "
        "text equals a number; Terraform never takes 1 for true, and distinct() makes texts of mixed values.",
    ),
    Rule(
        "HOT579",
        I,
        "The text of a value without a type",
        "What a json parameter or a stack of Heat's holds has no type in Terraform. Heat's texts are Python's: True, "
        "1.0, and JSON with blanks; what an example in the template shows to be a text or number is put in as it is.",
    ),
    Rule(
        "HOT580",
        W,
        "A YAQL expression beyond what is translated",
        "YAQL is a language of its own; the forms that occur in practice have a counterpart, this one has none.",
        "What owns it stays with Heat. A simpler expression may have a counterpart: docs/yaql.md.",
    ),
    Rule(
        "HOT581",
        W,
        "A file that was not read",
        "Nothing outside the template's directory is read and no URL is fetched; the text became a variable.",
        'Pass the text: TF_VAR_<name>="$(cat FILE)".',
    ),
    Rule(
        "HOT583",
        I,
        "A YAQL expression that differs for rare values",
        "The expression means the same for the usual values; for which it does not, the message says.",
        "docs/yaql.md has the forms and their limits.",
    ),
    Rule(
        "HOT591",
        E,
        "A function that HOT has not got",
        "HOT has a function of its own for nearly all of the CFN era; this use of one has no counterpart.",
        "Rewrite the expression by hand, or keep the template as it is: Heat reads both.",
    ),
    Rule(
        "HOT592",
        E,
        "What the chosen version has not got",
        "Functions, keys and constraints came with versions of HOT; an older one refuses them.",
        "Choose a later version with --hot-version.",
    ),
    Rule(
        "HOT593",
        E,
        "What would mean something else in the chosen version",
        "A map that names a function only later versions have is data to this template, and a call in theirs; paths of "
        "get_attr into groups changed with 2014-10-16.",
        "Choose a version that takes it as this one does, with --hot-version.",
    ),
    Rule(
        "HOT594",
        I,
        "A mapping that becomes a parameter",
        "HOT has no mappings; a parameter of type json, which nobody gives a value, is read by path like one. Only "
        "where a key is not there it gives an empty text, and Fn::FindInMap fails.",
    ),
    Rule(
        "HOT595",
        I,
        "A key that Heat does not look at",
        "HOT refuses keys that it does not know, where the CFN era looks past them.",
    ),
    Rule(
        "HOT596",
        I,
        "A property under its new name",
        "Heat translates deprecated names of properties; the template has the ones that it translates to.",
    ),
    Rule(
        "HOT598",
        W,
        "An older version than asked for by default",
        "Some functions of the CFN era are only in the first versions of HOT, which have no conditions.",
        "Rewrite the expression by hand to get to a later version.",
    ),
    Rule(
        "HOT597",
        I,
        "Fn::Select of an attribute or of parts",
        'Where nothing is there, Fn::Select gives ""; the path of get_attr gives null, and str_split fails.',
    ),
    # 6xx: what was surely not meant
    Rule("HOT601", W, "An unused parameter", "Nothing in the template asks for its value."),
    Rule("HOT602", W, "An unused condition", "No resource, output or function asks for it."),
    Rule("HOT603", W, "An unused mapping", "No Fn::FindInMap looks into it."),
    Rule(
        "HOT604",
        W,
        "An index_var that occurs nowhere",
        "The members of a group are told apart only by what the placeholder is replaced in.",
    ),
    Rule("HOT605", W, "A placeholder of str_replace that occurs nowhere", "Its value is put in nowhere."),
    Rule(
        "HOT606", W, "A placeholder of repeat that occurs nowhere", "All that repeat makes for its values is the same."
    ),
    Rule(
        "HOT607",
        I,
        "An outdated resource type",
        "Heat keeps the type for old stacks, and may have nothing behind it.",
    ),
    Rule("HOT608", W, "Two equal branches", "The condition decides nothing."),
    Rule("HOT609", W, "A dependency named twice", "The second mention changes nothing."),
    # 7xx: TOSCA
    Rule(
        "HOT701",
        I,
        "Functions that become nodes",
        "TOSCA 1.3 has no function for them: each is a node of type hot.nodes.Expression, with its text and its "
        "arguments, and its value is what the orchestrator makes of it.",
        "Give hot.nodes.Expression an operation that evaluates HOT's functions, or write version 2.0.",
    ),
    Rule(
        "HOT702",
        I,
        "A deployment without operations",
        "An operation runs a file; a configuration that is computed, or stands elsewhere, is none.",
        "Keep the script in a file of its own and name it with get_file.",
    ),
    Rule(
        "HOT703",
        I,
        "A file becomes an artifact",
        "get_artifact gives an orchestrator's place of a file, get_file what it holds; the file is in the archive.",
        "Orchestrators that want the content read it from there.",
    ),
    Rule(
        "HOT704",
        I,
        "A hidden value that stands in no file",
        "The values of environments become inputs.yaml; those of hidden parameters must not stand in a file.",
        "Give it to the orchestrator when you deploy.",
    ),
    Rule(
        "HOT705",
        W,
        "A value that the input's type does not take",
        "The value of a json parameter may be of another shape than its default, which the input's type follows.",
        "Give it to the orchestrator when you deploy, in the form that it wants.",
    ),
    Rule(
        "HOT706",
        E,
        "Conditions that grow too large",
        "TOSCA 2.0 has no named conditions: each is written out where it is used, and so are those that it names.",
        "Write version 1.3, which keeps conditions as nodes, or name fewer conditions in each other.",
    ),
    # 9xx: our own fault
    Rule(
        "HOT900",
        E,
        "A defect in hot2tf",
        "The converter itself failed. Nothing was written.",
        "Please report it, with the template if you can.",
    ),
    Rule(
        "HOT901",
        E,
        "Files in the way",
        "The output directory has files that hot2tf did not write, or that were changed since.",
        "Use another directory, or --force to overwrite them.",
    ),
    Rule(
        "HOT902", E, "The output cannot be written", "The directory cannot be made or a file in it cannot be written."
    ),
    Rule(
        "HOT903",
        E,
        "A text that formatting would change",
        "What hot2tf fmt writes is read again and compared; this came out otherwise, so the file is left alone.",
        "Please report it, with the template if you can.",
    ),
    Rule(
        "HOT904",
        E,
        "A text that is not formatted",
        "There is something in it that canonical HOT cannot keep, so the file is left alone.",
    ),
    Rule(
        "HOT905",
        E,
        "A mapping table that cannot be read",
        "The tables that say what becomes of resource types are read strictly: a key that nobody knows would be lost.",
        "docs/mappings.md says what a table may hold.",
    ),
    Rule(
        "HOT906",
        E,
        "A name that the directory has already",
        "The output directory has Terraform code that hot2tf did not write. Terraform refuses a name that is declared "
        "twice in a directory, and a second required_providers block.",
        "Rename or remove one of the two, or write to another directory and call that as a module.",
    ),
    Rule(
        "HOT907",
        W,
        "Terraform code that was not read",
        "The output directory has Terraform code that hot2tf did not write and cannot read. A name that is in both is "
        "only found by terraform validate.",
    ),
)

RULES: Mapping[str, Rule] = {rule.code: rule for rule in TABLE}
