"""Codes 5xx: constructs without an exact equivalent in the target."""

from __future__ import annotations

from transpile.diagnostics.rules.rule import E, I, Rule, W

TABLE = (
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
)
