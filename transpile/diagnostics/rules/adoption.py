"""Codes 71x to 77x: running stacks that Terraform takes over."""

from __future__ import annotations

from transpile.diagnostics.rules.rule import E, I, Rule, W

TABLE = (
    Rule(
        "HOT710",
        E,
        "Not a running stack",
        "An export of a stack has the keys that `openstack stack export` writes: name, id, template, resources.",
        "Export the stack again: openstack stack export STACK --output-file FILE.",
    ),
    Rule(
        "HOT711",
        E,
        "Wrong part of a running stack",
        "A part of the input is missing, is there twice, or has a form that Heat never writes.",
        "Export the stack again: openstack stack export STACK --output-file FILE.",
    ),
    Rule(
        "HOT712",
        E,
        "Stack and template do not belong together",
        "Every resource of the template whose condition holds exists in the running stack, and the other way round.",
    ),
    Rule(
        "HOT713",
        W,
        "Template that differs from the one of the running stack",
        "The template of --template means something other than the one that Heat has stored.",
        "Update the stack to the template first, or leave --template out.",
    ),
    Rule(
        "HOT714",
        E,
        "Resource that cannot be imported",
        "Nothing tells the ID that the provider wants, or the provider cannot import the type. Without an import, "
        "Terraform would make the resource again.",
    ),
    Rule(
        "HOT715",
        W,
        "Unanswered question",
        "Heat does not store this, so the cloud has to be asked.",
        "Use --os-cloud CLOUD, or write the answer to the file of --answers.",
    ),
    Rule(
        "HOT716",
        I,
        "Argument that Terraform does not compare",
        "The provider does not read it back, or would change it for no reason, so `lifecycle.ignore_changes` names it.",
    ),
    Rule(
        "HOT717",
        I,
        "Nested stack that stays with Heat",
        "Something in it must stay with Heat. A second stack would make it again, so the whole nested stack stays in "
        "the old one.",
    ),
    Rule(
        "HOT718",
        W,
        "Value that only Heat tells",
        "A new stack that reads it would change what is running, so it is null.",
    ),
    Rule(
        "HOT719",
        E,
        "Wrong file of answers",
        "The file of --answers has `format` 1 and a list of answers, as --save writes it.",
    ),
    Rule(
        "HOT720",
        W,
        "Hidden parameter without a value",
        "Hidden values are never written. The variable has no value, and Terraform asks for it.",
        "Set TF_VAR_NAME to the value that the stack has. With another one, the plan shows changes.",
    ),
    Rule(
        "HOT721",
        I,
        "Secret in an import",
        "The provider imports a random value by the value itself, so it stands in imports.tf, which only its owner may "
        "read.",
        "Do not commit imports.tf. Remove it after the import.",
    ),
    Rule(
        "HOT740",
        E,
        "Stack that is being changed",
        "What Heat tells of a stack is true only between two actions, and Heat starts no update while one runs.",
        "Wait until the stack is COMPLETE, then export it again.",
    ),
    Rule(
        "HOT741",
        E,
        "Stack in a state that is not whole",
        "After a failed action, the template that Heat stores may be another than the one that runs, and the next "
        "update makes some resources again.",
    ),
    Rule(
        "HOT742",
        E,
        "Suspended stack",
        "Heat refuses to update a suspended stack, and its servers do not run.",
        "Resume it (openstack stack resume), then export it again.",
    ),
    Rule(
        "HOT743",
        E,
        "Stack that is deleted",
        "Some or all of its resources are gone, and Heat refuses to update it.",
    ),
    Rule(
        "HOT744",
        W,
        "Stack that was rolled back",
        "After a rollback, the template before the failed update runs. The one in a repository may be the newer one.",
        "Compare it with what runs: openstack stack template show STACK.",
    ),
    Rule(
        "HOT745",
        E,
        "Resource in a state that is not whole",
        "Heat's next update would make it again, or it is half made or deleted.",
    ),
    Rule(
        "HOT746",
        E,
        "Resource without a physical ID",
        "An import needs the ID of what runs. A resource that Heat has made has one.",
        "Export the stack again.",
    ),
    Rule(
        "HOT748",
        W,
        "Resource that runs again",
        "Heat runs a deployment or a workflow again when its entry in the template changes, even if no property does.",
        "If it must not run again, keep it from doing so while the update runs, for example by stopping the agent on "
        "the server.",
    ),
    Rule(
        "HOT749",
        E,
        "Wrong nested stack",
        "The physical ID of a nested stack's resource is the ID of that stack.",
        "Export the stack again.",
    ),
    Rule(
        "HOT750",
        E,
        "Nested stack",
        "The stack that owns it would go on updating it, and delete it with itself.",
        "Adopt the outermost stack.",
    ),
    Rule(
        "HOT751",
        W,
        "Hook or restriction in the environment",
        "An update stops at a hook until somebody clears it, and fails at a restriction.",
    ),
    Rule(
        "HOT752",
        E,
        "Release that cannot be written",
        "The updates by which Heat lets go of a stack need its template, those of its nested stacks, and the files "
        "that they name.",
        "Export the stack again: openstack stack export STACK --output-file FILE.",
    ),
    Rule(
        "HOT753",
        E,
        "Resource that Heat does not leave alone",
        "Before Heat forgets a resource, an update gives it the deletion policy Retain. To a few types, Heat does "
        "something on every update, even if no property changes.",
        "Where the cloud allows it, let go of the whole stack instead: openstack stack abandon STACK.",
    ),
    Rule(
        "HOT754",
        W,
        "Release that is not complete",
        "What stays with Heat refers to what Terraform takes by values that the input lacks.",
        "Adopt the stack with --os-cloud CLOUD, or answer the questions in the file of --answers.",
    ),
    Rule(
        "HOT755",
        E,
        "No such cloud",
        "--os-cloud names a cloud of clouds.yaml, or `envvars` for the variables OS_*. openstacksdk reads both.",
        "openstack --os-cloud CLOUD stack list uses the same configuration.",
    ),
    Rule(
        "HOT756",
        E,
        "No access to the cloud",
        "The cloud refuses the user or the password of clouds.yaml, or the project.",
        "openstack --os-cloud CLOUD token issue shows whether the credentials are right.",
    ),
    Rule(
        "HOT757",
        E,
        "Cloud that does not answer",
        "The address does not answer in time, or its certificate is not trusted.",
        "An `api_timeout` in clouds.yaml sets how long to wait for an answer (otherwise 60 seconds).",
    ),
    Rule(
        "HOT758",
        E,
        "No such stack in the project",
        "A stack is read by its name or ID, in the project of the cloud.",
        "openstack --os-cloud CLOUD stack list shows the stacks of the project.",
    ),
    Rule(
        "HOT759",
        W,
        "Stack that may not be exported",
        "The cloud's policy decides who may export a stack. What the export would tell is read piece by piece, but the "
        "data that Heat keeps with resources is missing.",
        "Let somebody who may export it run: openstack stack export STACK --output-file FILE.",
    ),
    Rule(
        "HOT760",
        E,
        "Answer that OpenStack would not give",
        "The cloud, or something between, failed, or answered with something other than the API describes.",
        "Try again later. With --os-cloud, HTTP proxies and load balancers answer in place of the cloud, too.",
    ),
    Rule(
        "HOT770",
        W,
        "Live resource that differs from the template",
        "Somebody changed it after Heat made it. Terraform plans to change it back to what the template says, unless "
        "the provider does not compare the argument.",
        "Put the live value into the template and update the stack, or change the resource back.",
    ),
    Rule(
        "HOT771",
        W,
        "Something that was added to a live resource",
        "The template does not have it, so it is not imported. Terraform plans to remove it where the provider knows "
        "of it, and otherwise leaves it alone.",
        "Put it into the template and update the stack, or remove it.",
    ),
    Rule(
        "HOT772",
        I,
        "Values that were not compared",
        "Only values that both sides tell exactly are compared.",
    ),
    Rule(
        "HOT773",
        W,
        "Comparison that needs the cloud",
        "An export has no values of the live resources.",
        "Use --os-cloud CLOUD, or the answers that an earlier run has saved with --save.",
    ),
)
