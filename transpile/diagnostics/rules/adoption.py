"""Codes 71x to 77x: running stacks that Terraform takes over."""

from __future__ import annotations

from transpile.diagnostics import codes
from transpile.diagnostics.rules.rule import E, I, Rule, W

TABLE = (
    Rule(
        codes.NOT_A_RUNNING_STACK,
        E,
        "Not a running stack",
        "An export of a stack has the keys that `openstack stack export` writes: name, id, template, resources.",
        "Export the stack again: openstack stack export STACK --output-file FILE.",
    ),
    Rule(
        codes.MALFORMED_RUNNING_STACK,
        E,
        "Wrong part of a running stack",
        "A part of the input is missing, is there twice, or has a form that Heat never writes.",
        "Export the stack again: openstack stack export STACK --output-file FILE.",
    ),
    Rule(
        codes.STACK_DOES_NOT_MATCH_TEMPLATE,
        E,
        "Stack and template do not belong together",
        "Each resource of the template whose condition holds must exist in the running stack, and the reverse.",
    ),
    Rule(
        codes.TEMPLATE_DIFFERS_FROM_STACK,
        W,
        "Template that differs from the one of the running stack",
        "The template of --template means something other than the one that Heat has stored.",
        "Update the stack to the template first, or leave --template out.",
    ),
    Rule(
        codes.RESOURCE_CANNOT_BE_IMPORTED,
        E,
        "Resource that cannot be imported",
        "The input does not have the ID that the provider needs, or the provider cannot import the type. Without an "
        "import, Terraform would create the resource again.",
    ),
    Rule(
        codes.UNANSWERED_QUESTION,
        W,
        "Unanswered question",
        "Heat does not store the answer, so hot2tf has to ask the cloud.",
        "Use --os-cloud CLOUD, or write the answer to the file of --answers.",
    ),
    Rule(
        codes.ARGUMENT_NOT_COMPARED,
        I,
        "Argument that Terraform does not compare",
        "The provider does not read the argument back, or would change it for no reason, so `lifecycle.ignore_changes` "
        "names it.",
    ),
    Rule(
        codes.NESTED_STACK_KEPT_IN_HEAT,
        I,
        "Nested stack that stays with Heat",
        "A resource of the nested stack must stay with Heat. A new stack would create it again, so the whole nested "
        "stack stays in the old one.",
    ),
    Rule(
        codes.VALUE_KNOWN_ONLY_TO_HEAT,
        W,
        "Value that only Heat knows",
        "Terraform cannot read the value, and a new stack that reads it would change running resources. So the value "
        "is null.",
    ),
    Rule(
        codes.MALFORMED_ANSWERS,
        E,
        "Wrong file of answers",
        "The file of --answers has `format` 1 and a list of answers, as --save writes it.",
    ),
    Rule(
        codes.HIDDEN_PARAMETER_WITHOUT_VALUE,
        W,
        "Hidden parameter without a value",
        "Hidden values are never written. The variable has no value, and Terraform asks for it.",
        "Set TF_VAR_NAME to the value that the stack has. With another one, the plan shows changes.",
        task="asked",
    ),
    Rule(
        codes.SECRET_IN_IMPORT,
        I,
        "Secret in an import",
        "The provider imports a random value by the value itself, so it stands in imports.tf, which only its owner may "
        "read.",
        "Do not commit imports.tf. Remove it after the import.",
    ),
    Rule(
        codes.ENVIRONMENTS_DIFFER,
        E,
        "Environments without common code",
        "With --environments files, all stacks are environments of one configuration, so they must have one template. "
        "Their parameters, names, IDs and sizes may differ, and the members removed from groups.",
    ),
    Rule(
        codes.STACK_BEING_CHANGED,
        E,
        "Stack that is being changed",
        "Heat's data about a stack is correct only between two actions, and Heat starts no update while an action "
        "runs.",
        "Wait until the stack is COMPLETE, then export it again.",
    ),
    Rule(
        codes.STACK_INCOMPLETE,
        E,
        "Stack in a state that is not whole",
        "After a failed action, the running resources may differ from the template that Heat stores, and the next "
        "update creates some of them again.",
    ),
    Rule(
        codes.STACK_SUSPENDED,
        E,
        "Suspended stack",
        "Heat refuses to update a suspended stack, and its servers do not run.",
        "Resume it (openstack stack resume), then export it again.",
    ),
    Rule(
        codes.STACK_DELETED,
        E,
        "Stack that is deleted",
        "Some or all resources of the stack are gone, and Heat refuses to update it.",
    ),
    Rule(
        codes.STACK_ROLLED_BACK,
        W,
        "Stack that was rolled back",
        "After a rollback, the template before the failed update runs. The one in a repository may be the newer one.",
        "Compare yours with the running one: openstack stack template show STACK.",
    ),
    Rule(
        codes.RESOURCE_INCOMPLETE,
        E,
        "Resource in a state that is not whole",
        "Heat's next update would create the resource again, or the resource is partly created or deleted.",
    ),
    Rule(
        codes.RESOURCE_WITHOUT_PHYSICAL_ID,
        E,
        "Resource without a physical ID",
        "An import needs the ID of the running object. Each resource has a physical ID, except those of types that "
        "create no object, such as OS::Heat::WaitCondition. An export also has no ID for a group without members. Both "
        "are adopted.",
        "Export the stack again.",
    ),
    Rule(
        codes.STACK_OF_A_SERVICE,
        E,
        "Stack of a service",
        "A service such as Magnum created the stack for an object of its own, such as a cluster. The service goes on "
        "changing the stack, and deletes it with that object. hot2tf recognizes Magnum, Sahara, Murano and Tacker by "
        "the parameters, tags or names that they give to their stacks. With --all, such a stack is left out, and this "
        "is a warning.",
        "Create the service's object again without Heat, then delete the old one with the service.",
    ),
    Rule(
        codes.RESOURCE_RUNS_AGAIN,
        W,
        "Resource that runs again",
        "Heat runs a deployment or a workflow again when its entry in the template changes, even if no property does.",
        "If it must not run again, prevent that during the update: for example, stop the agent on the server.",
    ),
    Rule(
        codes.WRONG_NESTED_STACK,
        E,
        "Wrong nested stack",
        "The physical ID of a nested stack's resource is the ID of that stack.",
        "Export the stack again.",
    ),
    Rule(
        codes.STACK_IS_NESTED,
        E,
        "Nested stack",
        "The outer stack would go on updating the nested stack, and would delete it with itself.",
        "Adopt the outermost stack.",
    ),
    Rule(
        codes.HOOK_OR_RESTRICTION_IN_ENVIRONMENT,
        W,
        "Hook or restriction in the environment",
        "An update stops at a hook until somebody clears it, and fails at a restriction.",
    ),
    Rule(
        codes.RELEASE_CANNOT_BE_WRITTEN,
        E,
        "Release that cannot be written",
        "The updates by which Heat lets go of a stack need its template, those of its nested stacks, and the files "
        "that they name.",
        "Export the stack again: openstack stack export STACK --output-file FILE.",
    ),
    Rule(
        codes.RESOURCE_CHANGED_BY_RELEASE,
        E,
        "Resource that Heat does not leave alone",
        "Before Heat forgets a resource, an update gives it the deletion policy Retain. To a few types, Heat does "
        "something on every update, even if no property changes.",
        "Where the cloud allows it, let go of the whole stack instead: openstack stack abandon STACK.",
    ),
    Rule(
        codes.RELEASE_INCOMPLETE,
        W,
        "Release that is not complete",
        "A resource that stays with Heat refers to a resource that Terraform takes over. The new template needs the "
        "value of that reference, and the input does not have it.",
        "Adopt the stack with --os-cloud CLOUD, or answer the questions in the file of --answers.",
    ),
    Rule(
        codes.UNKNOWN_CLOUD,
        E,
        "No such cloud",
        "--os-cloud names a cloud of clouds.yaml, or `envvars` for the variables OS_*. openstacksdk reads both.",
        "openstack --os-cloud CLOUD stack list uses the same configuration.",
    ),
    Rule(
        codes.CLOUD_ACCESS_DENIED,
        E,
        "No access to the cloud",
        "The cloud refuses the user or the password of clouds.yaml, or the project.",
        "openstack --os-cloud CLOUD token issue shows whether the credentials are right.",
    ),
    Rule(
        codes.CLOUD_DOES_NOT_ANSWER,
        E,
        "Cloud that does not answer",
        "The address does not answer in time, or its certificate is not trusted.",
        "An `api_timeout` in clouds.yaml sets how long to wait for an answer (otherwise 60 seconds).",
    ),
    Rule(
        codes.UNKNOWN_STACK,
        E,
        "No such stack in the project",
        "A stack is read by its name or ID, in the project of the cloud.",
        "openstack --os-cloud CLOUD stack list shows the stacks of the project.",
    ),
    Rule(
        codes.EXPORT_NOT_ALLOWED,
        W,
        "Stack that may not be exported",
        "The cloud's policy decides who may export a stack. hot2tf reads the parts of the export one by one, but not "
        "the data that Heat keeps with resources.",
        "Ask a user who may export the stack to run: openstack stack export STACK --output-file FILE.",
    ),
    Rule(
        codes.UNEXPECTED_CLOUD_ANSWER,
        E,
        "Answer that OpenStack would not give",
        "The cloud, or something between, failed, or answered with something other than the API describes.",
        "Try again later. With --os-cloud, HTTP proxies and load balancers answer in place of the cloud, too.",
    ),
    Rule(
        codes.LIVE_RESOURCE_DIFFERS,
        W,
        "Live resource that differs from the template",
        "Somebody changed the resource after Heat created it. Terraform plans to restore the value of the template, "
        "unless the provider does not compare the argument.",
        "Put the live value into the template and update the stack, or change the resource back.",
    ),
    Rule(
        codes.ADDED_TO_LIVE_RESOURCE,
        W,
        "Addition to a live resource",
        "The template does not have the addition, so it is not imported. Terraform plans to remove it if the provider "
        "reads it, and otherwise leaves it alone.",
        "Add it to the template and update the stack, or remove it from the resource.",
    ),
    Rule(
        codes.VALUES_NOT_COMPARED,
        I,
        "Values that were not compared",
        "hot2tf compares a value only if it knows the value of the template and the live value exactly.",
    ),
    Rule(
        codes.COMPARISON_NEEDS_CLOUD,
        W,
        "Comparison that needs the cloud",
        "An export has no values of the live resources.",
        "Use --os-cloud CLOUD, or the answers that an earlier run has saved with --save.",
    ),
    Rule(
        codes.LIVE_OBJECT_MISSING,
        W,
        "Object of the stack that is missing",
        "Heat has the ID of the object, but the cloud does not show the object: somebody deleted it, or these "
        "credentials may not see it. Terraform cannot import it.",
        "Update the stack so that Heat creates the object again, then adopt the stack.",
    ),
    Rule(
        codes.NETWORK_NAME_NOT_UNIQUE,
        W,
        "Server on a network whose name is not unique",
        "When the provider imports a server, it looks for the server's networks by their names. If the credentials see "
        "several networks with that name, the import fails.",
        "Rename one of the networks before the import.",
    ),
    Rule(
        codes.LOCAL_STATE_OF_RUNNING_STACK,
        W,
        "Local state of a running stack",
        "Without a backend, Terraform keeps the state in a file of the directory. After the import, only people who "
        "have that file can change the stack, and nothing prevents two changes at once.",
        "Add --backend s3, gitlab, http or pg, or write a file with a backend of your own into the directory first. "
        "--backend local says that a file is intended.",
    ),
    Rule(
        codes.CHANGED_SINCE_ADOPTION,
        E,
        "Object that changed since the adoption was prepared",
        "A service returns other data about an object than it did when the stack was read. An import and Heat's two "
        "updates change no object. So another user or program changed it, or somebody applied a plan that ADOPT.md "
        "does not describe.",
        "Read evidence/COMPARISON.md for the values. Find out who changed it before the next step.",
    ),
    Rule(
        codes.REPLACED_INSTEAD_OF_UPDATED,
        I,
        "Argument whose change replaces the resource",
        "Heat changes the property in place. The provider cannot update the argument: Terraform deletes the object and "
        "creates another one, such as a server with another disk.",
        "Read plans for `forces replacement`, and add `lifecycle { prevent_destroy = true }` to resources that must "
        "not be lost.",
    ),
    Rule(
        codes.DESTROYED_THOUGH_HEAT_KEEPS,
        W,
        "Resource that Terraform destroys and an update of the stack keeps",
        "The template was converted into this directory before. A resource has another address now, and no `moved` "
        "block leads there, because another resource uses the old address, or because it "
        "goes to Heat or comes from there.",
        "Read the plan before you apply it. `terraform state mv` moves a resource that must not be lost.",
    ),
)
