"""Codes 4xx: the mapping of resource types."""

from __future__ import annotations

from transpile.diagnostics import codes
from transpile.diagnostics.rules.rule import E, I, Rule, W

TABLE = (
    Rule(
        codes.PROPERTY_WITHOUT_COUNTERPART,
        W,
        "Property has no counterpart in Terraform",
        "The provider has no argument for this property, so its effect is lost.",
        "If you need it, keep the resource in Heat, or configure it by other means.",
    ),
    Rule(
        codes.PROPERTY_IGNORED_BY_HEAT,
        W,
        "Property that Heat ignores",
        "Heat accepts the property but does not use it here, so the output omits it.",
    ),
    Rule(
        codes.VALUE_REJECTED_BY_PROVIDER,
        W,
        "Value that the provider rejects",
        "Heat passes this value to the service, but the provider rejects it or does not send it.",
        "The resource stays with Heat. Another value may work.",
    ),
    Rule(
        codes.ONLY_AT_RUN_TIME,
        W,
        "Names known only at run time",
        "Each name must be looked up, but the list of names is not known until run time.",
        "The resource stays with Heat. Use IDs, which need no lookup, or write the list out.",
    ),
    Rule(
        codes.GENERATED_NAME,
        I,
        "Generated name",
        "Heat makes up a name from the stack, the resource and a random suffix. The output has no such suffix.",
        "To choose the name yourself, set it in the template.",
    ),
    Rule(
        codes.LOOKED_UP_BY_NAME,
        I,
        "Looked up by name",
        "Heat accepts a name or an ID here. The known values are names, so the output looks the object up by name.",
        "To use an ID, write it in place of the lookup.",
    ),
    Rule(
        codes.FORM_CHOSEN,
        I,
        "Taken as a name, or as an ID",
        "Heat accepts a name or an ID here, and no known value tells which one it is. --prefer native takes one form: "
        "an ID if the parameter says so, as image_id does, or else a name. A value of the other form fails in plan or "
        "apply.",
        "Write a value as the default or in the environment. `--option ids=ids` takes IDs, and `ids=both` handles "
        "both, as without `--prefer`.",
        change="values that may be names or IDs are all taken as one of the two",
    ),
    Rule(
        codes.RENAMED_OUTPUT,
        I,
        "Renamed output",
        "The name of an output in Terraform begins with a letter or _, and has only letters, digits, _ and -. Programs "
        "that read the output of the stack find it under the new name.",
        "Rename the output in the template to choose the name yourself.",
    ),
    Rule(
        codes.REQUIRED_VALUE_LEFT_OPEN,
        W,
        "Required value left open",
        "Heat passes null for a required value, and the service rejects it. Or a parameter of a nested template has "
        "neither a value nor a default, and Heat fails when it creates the nested stack. The template expects you to "
        "fill the value in.",
        "A variable without a default asks for it. Set the value in the template, or set the variable.",
        task="set",
    ),
    Rule(
        codes.SIMILAR_ATTRIBUTE,
        W,
        "Attribute replaced by a similar one",
        "The provider has no attribute with exactly this meaning. The replacement has the same value in the "
        "usual case.",
    ),
    Rule(
        codes.DIFFERENT_BEHAVIOUR,
        W,
        "Resource behaves slightly differently",
        "The provider creates the same object as Heat, but part of its behaviour differs.",
    ),
    Rule(
        codes.KEPT_IN_HEAT,
        W,
        "Kept in Heat",
        "Terraform has no equivalent resource, so Heat keeps it, in an openstack_orchestration_stack_v1.",
        "The cloud must run Heat.",
    ),
    Rule(
        codes.ASSUMED_PLUGIN_TYPE,
        W,
        "Unknown resource type",
        "The type is not one of Heat's own. hot2tf assumes that a plug-in provides it, and leaves it with Heat.",
        "Correct the name if it is misspelled. If an environment maps the type to a template, name the "
        "environment with -e FILE.",
    ),
    Rule(
        codes.KNOWN_PLUGIN_TYPE,
        I,
        "Type of a known plug-in",
        "The type is not one of Heat's own. A plug-in of another OpenStack project provides it, and hot2tf knows it.",
        "The cloud must have the service. hot2tf check takes the type with --plugin-type or --plugin-dir.",
    ),
    Rule(
        codes.SERVER_NEEDS_EMBEDDED_STACK,
        W,
        "Stack that a server asks for",
        "A server whose tools ask Heat for metadata must name the embedded stack, not the whole.",
    ),
    Rule(
        codes.HIDDEN_EMBEDDED_PARAMETER,
        W,
        "Hidden parameter of the embedded stack",
        "Heat returns ****** for a hidden value. So that not every plan shows a change, Terraform ignores the "
        "parameter; then it does not detect a new value, and with any other change of the stack it sends ******.",
        "Before you change the value or anything else of the stack, remove ignore_changes from its block.",
    ),
    Rule(
        codes.TYPE_WITHOUT_EFFECT,
        I,
        "Resource type without effect",
        "Heat keeps the type as a placeholder since the release named. Older clouds still act on it.",
    ),
    Rule(
        codes.NEITHER_TERRAFORM_NOR_HEAT,
        E,
        "Expression possible neither in Terraform nor in Heat",
        "The expression needs Heat, but refers to something that is not in Heat and cannot be passed to it.",
        "Rewrite the expression so that a parameter can hold its value.",
    ),
    Rule(
        codes.STACK_WITHOUT_FILES,
        W,
        "Stack without its files",
        "A nested stack that stays with Heat gets its template as a string. Files that this template refers to "
        "are not sent.",
        "Include the content of those files in the template.",
    ),
    Rule(
        codes.READ_THROUGH_HEAT,
        I,
        "Value read through Heat",
        "The provider cannot read this value: an attribute of a resource, or the address of an existing "
        "floating IP known by its ID. A Heat stack that creates nothing reads it.",
        "Remove the references to the value to remove the stack. For an attribute, --prefer native removes it, too.",
    ),
    Rule(
        codes.NEWER_THAN_PROVIDER,
        W,
        "Newer than the provider",
        "--provider names a version of the provider that does not have this resource type, argument or attribute yet, "
        "or in which it means something else; or another provider that does not have it. The resource stays with Heat.",
        "Allow a newer version, as in --provider openstack=3.4, change the resource, or leave --provider out.",
    ),
    Rule(
        codes.STATE_WITHOUT_LOCK,
        W,
        "State without a lock",
        "Two runs of Terraform at once are not refused, and the second one to end overwrites the state of the first. "
        "use_lockfile=false switches the lock of an S3 backend off. An HTTP backend has one only with a lock_address "
        "or with the environment variable TF_HTTP_LOCK_ADDRESS.",
        "Leave use_lockfile on (Terraform and OpenTofu have it since 1.10), or add --backend-config lock_address=URL. "
        "Otherwise let only one pipeline apply, one run after the other.",
    ),
    Rule(
        codes.SETTING_OF_OTHER_BACKEND,
        W,
        "Setting of another backend",
        "--backend-config has a setting that this kind of backend does not have. It is not written.",
        "Remove it, or choose the backend that has it.",
    ),
    Rule(
        codes.PIPELINE_WITHOUT_STATE,
        W,
        "Pipeline without a state that its jobs share",
        "With --ci, these directories have no backend, or one whose address the jobs do not know. Each job would begin "
        "with an empty local state, so the pipeline only checks them.",
        "Add --backend s3, pg, gitlab or http, with --backend-config address=URL for the last two, or write a file "
        "with a backend of your own into each directory.",
    ),
    Rule(
        codes.COPIES_NOT_ROLLED_UP,
        I,
        "Copies that are not rolled up",
        "With --roll-up, numbered copies become one block if they differ in nothing but values. These have other "
        "properties, whole scripts that differ, or wait for one another; one block for them would mean something else, "
        "or a cycle that Terraform refuses.",
        "Make them alike in the template if the difference is not meant, and convert again.",
    ),
    Rule(
        codes.UNREAD_VALUE_LEFT_OUT,
        I,
        "Value that nothing reads is left out",
        "Only Heat can compute this value, and nothing uses it: an output of a nested template, an argument for a "
        "parameter, an OS::Heat::Value or a configuration. It is not written and keeps nothing in Heat. An output "
        "of the root always counts as read.",
        "If something outside of the template reads it, return it from an output of the root.",
    ),
    Rule(
        codes.VALUE_REFUSED_BY_BOTH,
        W,
        "Value that Heat and Terraform refuse",
        "Heat refuses the present value of the parameter when it creates the stack, and the provider when Terraform "
        "plans. So the conversion of the resource does not depend on this value.",
        "Set another value, in the environment or in terraform.tfvars.",
    ),
)
