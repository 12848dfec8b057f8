"""Codes 5xx: constructs without an exact equivalent in the target."""

from __future__ import annotations

from transpile.diagnostics import codes
from transpile.diagnostics.rules.rule import E, I, Rule, W

TABLE = (
    Rule(
        codes.DELETION_POLICY_RETAIN,
        W,
        "Deletion policy Retain",
        "Heat keeps the object when the stack is deleted. Terraform refuses to destroy it, and with it the "
        "whole configuration.",
        'Run "terraform state rm" for it before "terraform destroy".',
    ),
    Rule(
        codes.DELETION_POLICY_SNAPSHOT,
        W,
        "Deletion policy Snapshot",
        "Heat takes a snapshot before it deletes the resource. Terraform cannot, so it refuses to destroy the "
        "resource.",
        "Take the snapshot, then remove prevent_destroy.",
    ),
    Rule(
        codes.UPDATE_POLICY_WITHOUT_COUNTERPART,
        I,
        "Update policy has no counterpart",
        "Terraform has no rolling updates. terraform apply -parallelism is the closest equivalent.",
    ),
    Rule(
        codes.METADATA_LOST,
        W,
        "Resource metadata is lost",
        "Agents inside the server read this metadata from Heat, but Heat does not manage a native server.",
    ),
    Rule(
        codes.CFN_INIT_WITHOUT_HEAT,
        W,
        "cfn-init without Heat",
        "With --prefer native, a script in the user data applies the metadata where the server's own script calls "
        "cfn-init. The server no longer asks for changes: a new value replaces it.",
        "Without --prefer native, the server stays with Heat. --option cfn_init=tools leaves the work to the image.",
        change="a script in the user data does the work of cfn-init, once",
    ),
    Rule(
        codes.CFN_INIT_OF_IMAGE,
        W,
        "cfn-init of the image",
        "With --option cfn_init=tools, the user data writes the metadata into the file in which cfn-init looks for it. "
        "The image must have heat-cfntools. The server no longer asks for changes: a new value replaces it.",
        "Without the option, a script in the user data does the work, and the image needs no tools.",
        change="cfn-init of the image runs once",
    ),
    Rule(
        codes.CFN_TOOLS_DO_NOTHING,
        W,
        "cfn-hup and other tools that need Heat",
        "With --prefer native, commands that do nothing replace these tools. So stopped services are not restarted, no "
        "hook runs after a change of the metadata, and no statistics are collected.",
        "Let systemd restart services (Restart=), and remove the calls.",
        change="cfn-hup and tools like it do nothing",
    ),
    Rule(
        codes.ACCESS_KEY_WITHOUT_HEAT,
        W,
        "Key that nobody asks for",
        "Heat gives a stack user a key, with which the tools in a server identify themselves. Without Heat there is no "
        "such user, and a text stands for the key. An output that reads it is null.",
        "Remove the user, the key, and the files and arguments with it.",
        change="keys for the tools of the image are left out",
    ),
    Rule(
        codes.DIFFERS_FROM_HEAT_CFNTOOLS,
        I,
        "Other than heat-cfntools",
        "AWS documents more features of cfn-init than heat-cfntools has. The script implements most of them as "
        "documented, and leaves out keys that have no meaning here. Both ignore versions of apt and Python packages.",
        "Check that this difference is acceptable.",
        change="a script does otherwise than cfn-init of heat-cfntools",
    ),
    Rule(
        codes.DEPLOYMENT_ACTIONS_NOT_RUN,
        W,
        "Actions of a deployment that Terraform does not run",
        "Heat runs a deployment on any of its actions: CREATE, UPDATE, DELETE, SUSPEND, RESUME. User data runs when a "
        "server is created. Over SSH, Terraform also runs the scripts for UPDATE and DELETE; it never suspends or "
        "resumes.",
        "Use --prefer provisioners for UPDATE and DELETE, or run the scripts by hand or in a pipeline.",
        change="actions of deployments, such as DELETE, do not run",
    ),
    Rule(
        codes.DEPLOYMENT_RESULT_LOST,
        W,
        "Result of a deployment",
        "Heat's agent sends the output of a script to Heat. Without Heat it is lost, so an output that reads it is "
        "null.",
        "--keep OS::Heat::SoftwareDeployment keeps deployments with Heat.",
        change="results of deployments are null",
    ),
    Rule(
        codes.USER_DATA_TOO_LONG,
        W,
        "User data is too long",
        "Nova takes at most 65535 bytes of user data, in base64. With deployments it may be longer than that.",
        "Set gzip and base64_encode in cloudinit_config, or let the server download the longest files.",
        change="user data with long scripts of deployments may be too long",
    ),
    Rule(
        codes.SCRIPT_WITHOUT_INTERPRETER,
        W,
        "Script without an interpreter",
        "Heat's agent executes the file, which fails without a #! line. In the converted script, /bin/sh runs it.",
        "Add a #! line.",
        change="scripts of deployments need an interpreter",
    ),
    Rule(
        codes.DIFFERS_FROM_AGENT,
        I,
        "Other than Heat's agent",
        "The script works like the hook of Heat's agent, except in rare cases: where the hook would fail, where it "
        "would turn a list into text, or where an agent in the image would stop processes that the script started.",
        "Check that this difference is acceptable.",
        change="inputs of deployments have other texts than Heat's agent makes",
    ),
    Rule(
        codes.NO_ROLLING_UPDATE,
        W,
        "No rolling update",
        "Heat changes the members of a scaling group in batches, and waits between them. Terraform changes all of them "
        "in one apply.",
        "terraform apply -parallelism=1 changes one at a time; -target changes only some. create_before_destroy in a "
        "lifecycle block creates the new ones first.",
        change="no group is updated in batches",
    ),
    Rule(
        codes.NO_ALARM_METADATA,
        I,
        "No metadata for Heat's alarms",
        "Heat adds metadata to the members of groups of instances, by which alarms find them. With --prefer native, "
        "Heat has no group that the metadata could name.",
        "If your monitoring uses the metadata, add it to Tags.",
        change="members of groups have no metadata for Heat's alarms",
    ),
    Rule(
        codes.OCTAVIA_REPLACES_HAPROXY,
        W,
        "Octavia in place of HAProxy",
        "Heat starts a server with HAProxy for an AWS::ElasticLoadBalancing::LoadBalancer. With --prefer native, it is "
        "an Octavia load balancer with the same settings. A variable asks for its subnet, which the template does not "
        "say.",
        "Choose a subnet that clients reach, or add a floating IP. The members must be reachable from there.",
        change="Octavia takes the place of a server with HAProxy",
    ),
    Rule(
        codes.HIDDEN_VALUE_NOT_WRITTEN,
        I,
        "Hidden value was not written",
        "hot2tf does not write the values of hidden parameters to terraform.tfvars.",
        "Set the environment variable TF_VAR_ and the name, or enter the value when Terraform asks.",
    ),
    Rule(
        codes.VALUE_SPELLED_DIFFERENTLY,
        I,
        "Value spelled differently",
        "Heat accepts several spellings of the value, Terraform only one.",
    ),
    Rule(
        codes.RULE_WITHOUT_ZERO,
        W,
        "Rule of a security group without a 0",
        "The provider does not send 0 for a port, or for a type or code of ICMP. The rule is written without it. A "
        "type whose only code is 0 means the same; with a preference, other rules become a little wider, too.",
        "Check that the rule may let that in. Without a preference, a rule that would become wider stays with Heat.",
    ),
    Rule(
        codes.IMMUTABLE_PARAMETER_CAN_CHANGE,
        W,
        "Immutable parameter can change",
        "Heat refuses to change the value of an immutable parameter. Terraform does not.",
    ),
    Rule(
        codes.HIDDEN_VALUE_REVEALED,
        W,
        "Hidden value revealed",
        "Terraform conditions and for_each keys cannot be sensitive, so the keys and the results of conditions "
        "are shown.",
    ),
    Rule(
        codes.HIDDEN_DEFAULT_IN_OUTPUT,
        W,
        "Hidden default in the output",
        "Everybody who may read the files may read the default. On file systems with permissions, only the owner of "
        "the files may read them.",
        "Remove the default, and pass the value when you deploy.",
    ),
    Rule(
        codes.SUBNET_READ_BY_NETWORK,
        W,
        "Subnet of a port, read by its network",
        "Heat reads the subnet of an address of a port. The provider returns the address and the network: with a "
        "preference, a data source finds the only subnet of the network for this IP version. With several, it fails.",
        "Set the subnet in fixed_ips of the port, which the data source then reads by its ID.",
        change="a data source finds the subnet of a port by the port's network",
    ),
    Rule(
        codes.FLOATING_IP_KNOWN_BY_ID,
        W,
        "Floating IP known only by its ID",
        "The provider takes the address of a floating IP, and finds none by its ID. With --prefer native, the variable "
        "floating_ip_addresses maps IDs to addresses; Terraform asks for it.",
        "Without --prefer native, a read-only Heat stack looks the address up.",
        change="a variable has the addresses of existing floating IPs",
        task="set",
    ),
    Rule(
        codes.ATTRIBUTE_AS_VARIABLE,
        W,
        "Attribute that you set as a variable",
        "With --prefer native, a variable stands for an attribute that the provider does not read. For a resource that "
        "Terraform makes, it is null until somebody sets it after the first apply; until then, Terraform refuses a "
        "text that contains it.",
        "Set it as soon as the resource exists, and apply again. Without --prefer native, a read-only Heat stack looks "
        "the attribute up.",
        change="variables have attributes that the provider does not read",
        task="set",
    ),
    Rule(
        codes.PORT_OF_EXISTING_SERVER,
        W,
        "Port of an existing server",
        "With --prefer native, a data source finds the port of an existing server, if the server has just one.",
        "Give the port itself, with OS::Neutron::FloatingIPAssociation. Without --prefer native, Heat takes the first.",
        change="a data source finds the port of an existing server",
    ),
    Rule(
        codes.PATTERN_NOT_CHECKED,
        W,
        "Pattern that Terraform cannot check",
        "Terraform uses RE2 regular expressions, which have no look-around, backreferences or possessive quantifiers.",
    ),
    Rule(
        codes.PATTERN_MATCHES_ASCII_ONLY,
        W,
        "Pattern matches ASCII only",
        r"In Terraform, \d, \w and \s match ASCII characters only.",
    ),
    Rule(
        codes.CUSTOM_CONSTRAINT_NOT_CHECKED,
        I,
        "Custom constraint not checked in advance",
        "Heat checks it with a plug-in. Terraform does not check it, and the API or a lookup fails later for "
        "an unknown value.",
    ),
    Rule(
        codes.NETWORKS_OF_SERVER,
        W,
        "Networks of a server",
        "With --prefer native, these are the fixed addresses by the name of their network. Heat's attribute also has "
        "the floating IPs, and an entry for the ID of each network.",
        "Without --prefer native, a read-only Heat stack looks the attribute up.",
        change="networks of a server are its fixed addresses",
    ),
    Rule(
        codes.KNOWN_ONLY_BY_NAME,
        W,
        "Object known only by its name",
        "The provider has no data source that finds it by its name. With --prefer native, a variable maps names to "
        "IDs. A value that the variable does not have is used as an ID if it looks like one.",
        "Set the variable, or write IDs in the template. Without --prefer native, Heat looks the name up.",
        change="a variable has IDs that the provider does not find by name",
        task="set",
    ),
    Rule(
        codes.FAILING_TEST_RESOURCE,
        W,
        "Test resource that fails",
        "With --prefer native, a condition of Terraform's fails where OS::Heat::TestResource would.",
        "Remove the resource if it was only a test.",
        change="test resources are conditions of Terraform's",
    ),
    Rule(
        codes.REQUIRED_ONLY_BY_PROVIDER,
        W,
        "Value that only the provider requires",
        "The service has a default, or takes the value later; the provider requires one. With --prefer native, a "
        "variable asks for it.",
        "Set the property in the template. Without --prefer native, the resource stays with Heat.",
        change="variables have values that only the provider requires",
        task="set",
    ),
    Rule(
        codes.PARAMETER_WITHOUT_VARIABLE,
        I,
        "Parameter without a variable",
        "Nothing in the output uses the parameter, and it has no constraint that Terraform could check. Heat ignores "
        "its value; a variable for it would only be asked for.",
    ),
    Rule(
        codes.ASSOCIATION_WITHOUT_GATEWAY,
        W,
        "Association without a gateway",
        "For AWS::EC2::EIPAssociation with AllocationId, Heat adds a gateway to the router of the port's VPC. With "
        "--prefer native, Terraform only associates the address if the port's subnet is not in the template.",
        "Check that the router has a gateway. Without --prefer native, Heat adds it.",
        change="a floating IP is associated without a look at the gateway",
    ),
    Rule(
        codes.UUID_AS_STACK_ID,
        W,
        "UUID instead of the stack ID",
        "Terraform has no stack. A stable UUID replaces the stack's ID, also in resources that stay with Heat. Heat "
        "does not know this UUID, so alarms, metrics and scripts that look for the stack by this ID do not find it.",
        "Use OS::stack_name where any name of the stack will do.",
    ),
    Rule(codes.FIXED_AWS_REGION, I, "AWS::Region", "Heat always returns ap-southeast-1."),
    Rule(
        codes.TESTS_NOT_WRITTEN,
        W,
        "No tests written",
        "With --tests, the output or a module gets no test file: for example because Heat would refuse the values, or "
        "because every value is known only after the apply.",
        "Correct the problem that the message names.",
    ),
    Rule(
        codes.NOT_POSSIBLE_IN_HCL,
        W,
        "Expression not possible in HCL",
        "The resource or output with this expression stays with Heat, which evaluates it as before.",
    ),
    Rule(
        codes.ALL_ATTRIBUTES_READ,
        W,
        "All attributes of a resource",
        "HCL cannot return a map of all attributes with Heat's names, so the resource or output that reads it "
        "stays with Heat.",
    ),
    Rule(
        codes.RESOURCE_MAY_NOT_EXIST,
        W,
        "Reference to a resource that may not exist",
        "Heat fails if a reference is used while the condition of its resource is false. Terraform fails, too. Only an "
        "output may refer to such a resource with `get_resource`: it is null, in Heat and in Terraform.",
    ),
    Rule(
        codes.GROUP_WITHOUT_ID,
        W,
        "ID of a group",
        "In Heat, this is the ID of a nested stack. A native group has no ID.",
    ),
    Rule(
        codes.GROUP_SCALED_BY_USER,
        W,
        "Group that only the user scales",
        "With --prefer native, a variable sets the size of a scaling group, within the limits of the group. Policies "
        "and alarms that would scale it are left out.",
        "To scale it, set the variable and apply. Without --prefer native, the group stays with Heat and scales.",
        change="a variable sets the size of a group, which nothing scales",
    ),
    Rule(
        codes.DEPLOYMENT_AS_USER_DATA,
        W,
        "Deployment converted to user data",
        "With --prefer native, the script of a deployment becomes part of the user data. It runs at first boot. "
        "Nothing waits for it, and a failure does not fail the apply. A change replaces the server, or has no effect "
        "if the server ignores changes of its user data.",
        "--keep keeps the type of the deployment with Heat. --prefer provisioners runs it over SSH, and waits.",
        change="deployments run at the first boot of their server, and nothing waits for them",
    ),
    Rule(
        codes.USER_DATA_WITHOUT_MIME,
        I,
        "User data without Heat's MIME message",
        "Heat wraps the user data in a MIME message with parts for cfn-init. Here, cloud-init gets the text alone.",
        "Set user_data_format: RAW to do the same in Heat.",
    ),
    Rule(
        codes.ONLY_ASCII_IN_PART,
        I,
        "Value that must be ASCII in a MIME part",
        "The provider declares each part of a MIME message as 7bit text, and cloud-init drops a part that has other "
        "characters than ASCII. A part is written in base64 only if its text is known to have such characters.",
        "Convert with the value in an environment, or keep the value in ASCII.",
    ),
    Rule(
        codes.OUTPUT_KNOWN_ONLY_TO_HEAT,
        W,
        "Output that only Heat knows",
        "With --prefer native, an output is null if Terraform cannot read its value.",
        "Without --prefer native, the resource that it reads stays with Heat.",
        change="outputs that only Heat knows are null",
    ),
    Rule(
        codes.DEPLOYMENT_OVER_SSH,
        W,
        "Deployment over SSH",
        "With --prefer provisioners, Terraform runs the script of a deployment over SSH: during the apply, after "
        "changes, or before it is destroyed. The machine that runs Terraform must reach the server. The script for "
        "DELETE is in the state, and does not run if its block is removed together with the server.",
        "Without it, the script is part of the user data, or the server and its deployments stay with Heat.",
        change="Terraform runs deployments over SSH",
    ),
    Rule(
        codes.WEAKER_ORDER,
        W,
        "Weaker order",
        "Terraform does not wait for every resource that Heat creates before this one, because one block stands for "
        "several resources of the template, and would wait for itself.",
        "References still set the order. Only a resource that waits without a reference may be created earlier.",
    ),
    Rule(
        codes.ORDER_BY_REFERENCES,
        W,
        "Ordered by references",
        "If a resource refers to a nested stack or a security group, Heat first waits for all resources of the stack, "
        "or all rules of the group. With --prefer native, Terraform waits for the resource referred to, for its parts, "
        "such as the subnets of a network, and for resources in `depends_on`.",
        "Where something must wait for more, add depends_on to the template. `--option order=heat` keeps Heat's order.",
        change="order comes from references and depends_on, not from whole nested stacks",
    ),
    Rule(
        codes.TEXT_NOT_NFC_OR_UTF8,
        W,
        "Text not in NFC or UTF-8",
        "Terraform normalises strings to NFC. A string cannot contain bytes that are not UTF-8.",
    ),
    Rule(
        codes.JSON_FORMATTED_DIFFERENTLY,
        I,
        "JSON formatted differently",
        "Heat writes JSON with spaces and escapes, jsonencode() without. The value is the same.",
    ),
    Rule(
        codes.EMPTY_VALUES_NOT_CHECKED,
        W,
        "Missing check for empty values",
        "In Heat, str_replace_vstrict rejects empty values at run time. The output does not.",
    ),
    Rule(
        codes.DIGEST_OF_NON_ASCII_TEXT,
        I,
        "Digest of text that is not ASCII",
        "Heat hashes the text as Latin-1, Terraform as UTF-8. The digests differ if the text is not ASCII.",
    ),
    Rule(
        codes.URL_QUOTED_DIFFERENTLY,
        W,
        "URL quoting",
        "urlencode() escapes for query strings. Parts of a path can be escaped differently.",
    ),
    Rule(
        codes.KEYS_ORDERED_DIFFERENTLY,
        I,
        "Order of keys",
        "Terraform iterates over a map in alphabetical order of its keys, Heat in the order of the template.",
    ),
    Rule(
        codes.PLACEHOLDER_INSIDE_VALUE,
        W,
        "Placeholder inside a value",
        "Heat also replaces the index or loop variable in values, after it has resolved them.",
    ),
    Rule(
        codes.COMPARISON_OF_MIXED_TYPES,
        I,
        "Comparison of values of different types",
        "A json parameter can contain numbers. Heat compares as Python does: 1 equals true, and no string "
        "equals a number. In Terraform 1 never equals true, and distinct() converts mixed values to strings.",
    ),
    Rule(
        codes.UNTYPED_VALUE_AS_TEXT,
        I,
        "Untyped value converted to text",
        "Terraform does not know the type of a value from a json parameter or a Heat stack. Heat converts "
        "values as Python does: True, 1.0, JSON with spaces. If an example in the template shows a string or "
        "number, the output uses the value directly.",
    ),
    Rule(
        codes.UNTRANSLATABLE_YAQL,
        W,
        "YAQL expression that cannot be translated",
        "hot2tf translates the YAQL expressions that are common in templates. This one has no counterpart.",
        "The resource that uses it stays with Heat. A simpler expression may work: see docs/exactness.md#yaql.",
    ),
    Rule(
        codes.FILE_NOT_READ,
        W,
        "File was not read",
        "hot2tf reads no files outside the template's repository or directory and fetches no URLs unless you allow "
        "it. The content became a variable.",
        'Allow it with --root or --allow, or pass the content: TF_VAR_<name>="$(cat FILE)".',
    ),
    Rule(
        codes.YAQL_DIFFERS_FOR_RARE_VALUES,
        I,
        "YAQL expression that differs for rare values",
        "The translation gives the same result for the usual values. The message names the exceptions.",
        "docs/exactness.md#yaql lists the supported forms and their limits.",
    ),
    Rule(
        codes.WAITING_OVER_SSH,
        W,
        "Waiting over SSH",
        "With --prefer provisioners, Terraform waits for the servers of a wait condition itself: over SSH, until "
        "cloud-init is done, for as long as the condition would. An error of cloud-init fails the apply. Signals are "
        "neither needed nor counted.",
        "The machine that runs Terraform must reach the servers. Without --prefer provisioners, nothing waits.",
        change="Terraform waits over SSH in place of signals",
    ),
    Rule(
        codes.RESOURCE_LEFT_OUT,
        W,
        "Resource left out",
        "With --prefer native, a resource without an equivalent in Terraform is left out if no other resource refers "
        "to it: alarms, schedules, workflows, queues, clusters of retired services. An output that reads one is null.",
        "--keep TYPE keeps such resources with Heat. Or replace them by other means.",
        change="resources without an equivalent in Terraform are left out",
    ),
    Rule(
        codes.SIGNALS_NOT_AWAITED,
        W,
        "Terraform does not wait for signals",
        "With --prefer native, wait conditions are left out. A resource that depends on a wait condition depends on "
        "the servers that signal instead, and is created as soon as these are active. A script that fails does not "
        "fail the apply.",
        "Without --prefer native, Heat waits. --prefer provisioners waits over SSH.",
        change="Terraform does not wait for signals",
    ),
    Rule(
        codes.FUNCTION_MISSING_IN_HOT,
        E,
        "Function that HOT does not have",
        "HOT has an equivalent for nearly all CFN functions, but not for this use.",
        "Rewrite the expression by hand, or keep the template: Heat accepts both formats.",
    ),
    Rule(
        codes.NOT_IN_CHOSEN_VERSION,
        E,
        "Not available in the chosen version",
        "Functions, keys and constraints were added over several versions of HOT. Older versions reject them.",
        "Choose a later version with --hot-version.",
    ),
    Rule(
        codes.DIFFERENT_IN_CHOSEN_VERSION,
        E,
        "Different meaning in the chosen version",
        "A map whose key is the name of a newer function is data in this version and a call in later ones. In "
        "2014-10-16 the meaning of get_attr paths into groups changed.",
        "Choose a version with the same meaning with --hot-version.",
    ),
    Rule(
        codes.MAPPING_AS_PARAMETER,
        I,
        "Mapping converted to a parameter",
        "HOT has no mappings. A json parameter that should not be set replaces it. For a missing key it "
        "returns an empty string, where Fn::FindInMap fails.",
    ),
    Rule(
        codes.KEY_IGNORED_BY_HEAT,
        I,
        "Key that Heat ignores",
        "CFN templates may have keys that Heat ignores. HOT rejects unknown keys, so the key is left out.",
    ),
    Rule(
        codes.RENAMED_PROPERTY,
        I,
        "Renamed property",
        "Heat translates deprecated property names. The output uses the current names.",
    ),
    Rule(
        codes.SELECT_OF_MISSING_ITEM,
        I,
        "Fn::Select of an attribute or of split text",
        'For a missing item, Fn::Select returns "", a get_attr path returns null, and str_split fails.',
    ),
    Rule(
        codes.OLDER_VERSION_THAN_DEFAULT,
        W,
        "Older version than the default",
        "Some CFN functions exist only in the first versions of HOT, which have no conditions.",
        "Rewrite the expression by hand to use a later version.",
    ),
    Rule(
        codes.SIGNAL_NOT_RECEIVED,
        W,
        "Signal without a receiver",
        "With --prefer native, a harmless replacement takes the place of signals to Heat in scripts: a command that "
        "ignores its arguments, a URL that curl, cfn-signal and Python's urllib open without a network. Other clients "
        "may refuse such a URL.",
        "Check whether a client in the script fails with the replacement, and how the script reacts. Or remove the "
        "call.",
        change="signals of scripts go nowhere",
    ),
)
