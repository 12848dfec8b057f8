"""Calls of Heat before and after the patch, and the reasons why others are left. Real git applies each patch."""

from __future__ import annotations

import pathlib

import pytest
import yaml

from tests.call_sites.repository import PROD, WEB, reasons, rewrite, search, stack
from tests.repository.trees import tree
from transpile.call_sites.stack_facts import StackFacts
from transpile.call_sites.terraform_commands import StackLocation
from transpile.model.records import replace
from transpile.repository.plan import StackPlan

INIT = "terraform -chdir=terraform/web init -input=false"
APPLY = "terraform -chdir=terraform/web apply -input=false -auto-approve"
DESTROY = "terraform -chdir=terraform/web destroy -input=false -auto-approve"
IP = "terraform -chdir=terraform/web output -raw ip"
LIST = "terraform -chdir=terraform/web state list"
CREATE = "openstack stack create --wait -t heat/web.yaml web"
SHOW_IP = "openstack stack output show web ip -f value -c output_value"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"{CREATE}\n", f"{INIT}\n{APPLY}\n"),
        (f"  {CREATE}\necho done", f"  {INIT}\n  {APPLY}\necho done"),
        ("heat stack-create web -f heat/web.yaml\n", f"{INIT}\n{APPLY}\n"),
        ("openstack stack update --template=heat/web.yaml web", f"{INIT}\n{APPLY}"),
        (f"{CREATE} --timeout 30 --enable-rollback\n", f"{INIT}\n{APPLY}\n"),
        (f"sudo -E {CREATE}\n", f"sudo -E {INIT}\nsudo -E {APPLY}\n"),
        (f"A=b {CREATE}\n", f"A=b {INIT}\nA=b {APPLY}\n"),
        (f"{CREATE} || exit 3\n", f"({INIT} && {APPLY}) || exit 3\n"),
        (f"test -f x && {CREATE}\n", f"test -f x && ({INIT} && {APPLY})\n"),
        (f"if ! {CREATE}; then exit 1; fi\n", f"if ! ({INIT} && {APPLY}); then exit 1; fi\n"),
        (f"{CREATE} > log 2>&1\n", f"({INIT} && {APPLY}) > log 2>&1\n"),
        (f"{CREATE} | tee log\n", f"({INIT} && {APPLY}) | tee log\n"),
        (f"({CREATE})\n", f"( ({INIT} && {APPLY}))\n"),
        (f"x() {{ {CREATE}; }}\n", f"x() {{ ({INIT} && {APPLY}); }}\n"),
        (f'{CREATE} --parameter key="$K"\n', f'{INIT}\n{APPLY} -var key="$K"\n'),
        (f"{CREATE} --parameter 'key=a b' --parameter size=3", f"{INIT}\n{APPLY} -var 'key=a b' -var size=3"),
        (f'{CREATE} --parameter "key=$K;size=3"', f'{INIT}\n{APPLY} -var "key=$K" -var size=3'),
        (f"{CREATE} --parameter image-id=$I", f"{INIT}\n{APPLY} -var image_id=$I"),
        (f"{CREATE} --parameter unused=1", f"{INIT}\n{APPLY}"),
        (f"{CREATE} --parameter on=true", f"{INIT}\n{APPLY} -var on=true"),
        ("heat stack-create web -f heat/web.yaml -Pkey=k -P size=1", f"{INIT}\n{APPLY} -var key=k -var size=1"),
        (
            "openstack stack create \\\n   -t heat/web.yaml \\\n   --parameter key=k \\\n   web\n",
            f"{INIT}\n{APPLY} \\\n   -var key=k\n",
        ),
        ("openstack stack create -t heat/web.yaml web --dry-run", f"{INIT}\n{APPLY.replace('apply', 'plan')[:-14]}"),
        (f'openstack --os-cloud "$C" {CREATE[10:]}', f'OS_CLOUD="$C" {INIT}\nOS_CLOUD="$C" {APPLY}'),
        (f"NAME=web\n{CREATE[:-3]}$NAME\n", f"NAME=web\n{INIT}\n{APPLY}\n"),
        (f'NAME=web\n{CREATE[:-3]}"${{NAME}}"\n', f"NAME=web\n{INIT}\n{APPLY}\n"),
        (f'cd "$(dirname "$0")"\n{CREATE}\n', f'cd "$(dirname "$0")"\n{INIT}\n{APPLY}\n'),
        (
            "cd heat\nopenstack stack create -t web.yaml web\n",
            f"cd heat\n{INIT}\n{APPLY}\n".replace("=terraform", "=../terraform"),
        ),
        (
            "openstack stack delete --yes --wait web\ncd heat\nopenstack stack create --wait -t web.yaml web\n",
            f"{INIT}\n{DESTROY}\ncd heat\n{APPLY.replace('=terraform', '=../terraform')}\n",
        ),
        # only the directory of the template has this file
        ("openstack stack create -t web.yaml web", f"{INIT}\n{APPLY}".replace("=terraform", "=../terraform")),
        (
            "openstack stack create -t $HERE/heat/web.yaml web\n",
            f"{INIT}\n{APPLY}\n".replace("=terraform/web", '="$HERE/terraform/web"').replace("$HERE", "${HERE}"),
        ),
        (f"{CREATE}\nIP=$({SHOW_IP})\n", f"{INIT}\n{APPLY}\nIP=$({IP})\n"),
        (
            f"if x; then\n  {CREATE}\nfi\nIP=$({SHOW_IP})",
            f"if x; then\n  {INIT}\n  {APPLY}\nfi\nIP=$({INIT} >&2 && {IP})",
        ),
        (f"{CREATE}\nIP=`{SHOW_IP}`\n", f"{INIT}\n{APPLY}\nIP=`{IP}`\n"),
        (f'{CREATE}\nssh "$({SHOW_IP})" ls\n', f'{INIT}\n{APPLY}\nssh "$({IP})" ls\n'),
        (f"{CREATE}\nA=$({SHOW_IP} | tr -d x)\n", f"{INIT}\n{APPLY}\nA=$({IP} | tr -d x)\n"),
        (
            f"{CREATE}\nA=$(openstack stack output show web pools -c output_value -f value)",
            f"{INIT}\n{APPLY}\nA=$(terraform -chdir=terraform/web output -json pools)",
        ),
        (f"{CREATE}\nheat output-show -F raw web ip\n", f"{INIT}\n{APPLY}\n{IP}\n"),
        (
            f"if openstack stack show web >/dev/null 2>&1; then x; else\n  {CREATE}\nfi\n",
            f'if [ -n "$({INIT} >/dev/null 2>&1 && {LIST} 2>/dev/null)" ]; then x; else\n  {INIT}\n  {APPLY}\nfi\n',
        ),
        (f"{CREATE}\nopenstack stack resource list web\n", f"{INIT}\n{APPLY}\n{LIST}\n"),
        (f"{CREATE}\nopenstack stack show web\n", f"{INIT}\n{APPLY}\n{LIST.replace('state list', 'show')}\n"),
        (f"{CREATE}\nopenstack stack delete --yes --wait web\n", f"{INIT}\n{APPLY}\n{DESTROY}\n"),
        (f"{CREATE}\nopenstack stack list\n", f"{INIT}\n{APPLY}\nopenstack stack list\n"),
        (f"# {CREATE}\n{CREATE}\n", f"# {CREATE}\n{INIT}\n{APPLY}\n"),
        (f"echo {CREATE}\n{CREATE}\n", f"echo {CREATE}\n{INIT}\n{APPLY}\n"),
        (f"{CREATE}\r\necho x\r\n", f"{INIT}\n{APPLY}\r\necho x\r\n"),
    ],
)
def test_scripts(tmp_path: pathlib.Path, before: str, after: str) -> None:
    assert rewrite(tmp_path, "run.sh", before) == after


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (f"{CREATE[:-3]}$1", "the name of the stack is only known when it runs"),
        (f"N=${{1:-web}}\n{CREATE[:-3]}$N", "the name of the stack is only known when it runs"),
        (f"N=a\nN=b\n{CREATE[:-3]}$N", "the name of the stack is only known when it runs"),
        ("openstack stack create -t $T web", "its template is only known when it runs"),
        ("openstack stack create -t other.yaml web", "its template is not in the plan"),
        ("openstack stack create -t heat/web.yaml -e $E web", "an environment that it names is not known"),
        (f"{CREATE} -e {PROD}", "the plan has no stack of this template with these environments"),
        (f"A=$({CREATE} -f value -c id)", "its output is read, and Terraform's has another form"),
        (f"{CREATE} | grep x", "its output is read, and Terraform's has another form"),
        (f"({CREATE}) | grep x", "its output is read, and Terraform's has another form"),
        (f"echo y | {CREATE}", "it reads the output of another command"),
        (f"{CREATE} < x", "it reads a file or a text"),
        (f"openstack > x {CREATE[10:]}", "a redirection stands within it"),
        (f"{CREATE} --frob", "the option --frob is not known"),
        (f"openstack $OPTIONS {CREATE[10:]}", "the option ${OPTIONS} is not known"),
        (f"openstack --os-token x {CREATE[10:]}", "the option --os-token of the client has no counterpart"),
        (f"sudo openstack --os-cloud x {CREATE[10:]}", "options of the client stand behind another command"),
        (f"exec {CREATE}", "exec runs it, and Terraform needs two commands"),
        (f"ssh host {CREATE}", "ssh runs it"),
        (f"ssh host '{CREATE}'", "it is in a text that runs elsewhere or later"),
        (f"bash <<E\n{CREATE}\nE\n", "it is in a text that runs elsewhere or later"),
        (f"{CREATE} --parameter zones=a,b", "the parameter zones is a list or a map, which Terraform writes otherwise"),
        (f"{CREATE} --parameter on=yes", "the boolean on is written otherwise in Terraform"),
        (f"{CREATE} --parameter $P", "a parameter is only known when it runs"),
        (f'{CREATE} --parameter "key=$(x);size=1"', "several parameters are in one word that cannot be split"),
        (f"{CREATE} --parameter other=1", "no variable stands for the parameter other"),
        (f"{CREATE} --parameter-file key=x", "a parameter comes from a file"),
        (
            "openstack stack update --existing web -t heat/web.yaml",
            "it keeps the values of the last update, which Terraform does not",
        ),
        (f"$OPENSTACK {CREATE[10:]}", "the client is a variable"),
        (f"pushd heat\n{CREATE}", "the directory that it runs in is not known"),
        ('cd "$1"\nopenstack stack create -t web.yaml web', "the directory that it runs in is not known"),
        ("openstack stack create -t /web.yaml web", "the path of its template is absolute"),
        ("openstack stack delete -y web", "no command line creates a stack of the plan with the name web"),
        (f"{CREATE} 'unclosed", "the shell text around it cannot be read for sure"),
    ],
)
def test_reasons(tmp_path: pathlib.Path, script: str, reason: str) -> None:
    assert reasons(tmp_path, "run.sh", script + "\n") == [reason]
    assert search(tmp_path, {"run.sh": script + "\n"}).patch == ""


@pytest.mark.parametrize(
    ("second", "reason"),
    yaml.safe_load("""
- ["while openstack stack show web | grep IN_PROGRESS; do sleep 1; done",
   "its output is read, and Terraform's has another form"]
- [A=$(openstack stack show web -f value -c stack_status), "its output is read, and Terraform's has another form"]
- [openstack stack event list web, Terraform keeps no events]
- [A=$(openstack stack output show web any -f value -c output_value), the type of the output any is not known]
- [A=$(openstack stack output show web flag -f value -c output_value), "Terraform prints true, not True"]
- [A=$(openstack stack output show web gone -f value -c output_value), the result has no output gone]
- [A=$(openstack stack output show web $O -f value -c output_value), the output is only known when it runs]
- [A=$(openstack stack output show web ip), it prints more than the value]
- ["openstack stack output show web ip -f value -c output_value | while read x; do y; done",
   another command reads its lines]
- [openstack stack delete web other, it names several stacks]
- [openstack stack delete $X, the name of the stack is only known when it runs]
- [openstack stack suspend web, nothing in Terraform does this]
- ["if openstack stack list | grep -q web; then x; fi", "Terraform has no list of stacks: each directory is one"]
- [openstack --os-cloud other stack delete --yes web, no command line creates a stack of the plan with the name web]
"""),
)
def test_a_script_is_rewritten_as_a_whole(tmp_path: pathlib.Path, second: str, reason: str) -> None:
    """Half a script would ask Heat about a stack that Terraform made."""
    assert reasons(tmp_path, "run.sh", f"{CREATE}\n{second}\n") == ["line 2, which runs with it, is left", reason]


def test_two_stacks_from_one_template_have_no_common_state(tmp_path: pathlib.Path) -> None:
    why = "several stacks are created from this template (one, two), and a directory has the state of one"
    assert reasons(tmp_path, "run.sh", f"{CREATE[:-3]}one\n{CREATE[:-3]}two\n") == [why, why]


def test_one_stack_from_two_templates_has_no_common_state(tmp_path: pathlib.Path) -> None:
    """An update that takes another template would go to another directory."""
    both = stack(), stack(template="heat/new.yaml", output="new")
    text = f"{CREATE}\nopenstack stack update -t heat/new.yaml web\nopenstack stack delete -y web\n"
    assert set(reasons(tmp_path, "run.sh", text, *both)) == {"several stacks of the plan are created with the name web"}
    apart = text.replace("openstack", "openstack --os-cloud a", 1).replace("stack delete", "--os-cloud a stack delete")
    assert reasons(tmp_path, "run.sh", apart, *both) == ["", "", ""]


def test_one_name_on_two_clouds_is_two_stacks(tmp_path: pathlib.Path) -> None:
    lines = "".join(f"openstack --os-cloud {cloud} {CREATE[10:]}\n" for cloud in "ab")
    assert all("has the state of one" in reason for reason in reasons(tmp_path, "run.sh", lines))


def test_a_stack_that_was_not_converted_is_left(tmp_path: pathlib.Path) -> None:
    assert reasons(tmp_path, "run.sh", CREATE, stack(is_converted=False)) == ["the stack was not converted"]


def test_an_environment_chooses_the_stack(tmp_path: pathlib.Path) -> None:
    both = stack(output="web/default"), stack((PROD,), output="web/prod")
    after = rewrite(tmp_path, "run.sh", f"{CREATE} -e {PROD}\n", *both)
    assert after == f"{INIT}\n{APPLY}\n".replace("terraform/web", "terraform/web/prod")


def test_destroy_gets_the_values_without_which_it_asks(tmp_path: pathlib.Path) -> None:
    needs = stack(required=frozenset({"key"}))
    text = f"{CREATE} --parameter key=k\nopenstack stack delete -y web\n"
    assert rewrite(tmp_path, "run.sh", text, needs) == f"{INIT}\n{APPLY} -var key=k\n{DESTROY} -var key=k\n"
    computed = text.replace("key=k", "key=$K")
    assert reasons(tmp_path, "run.sh", computed, needs)[1] == "terraform destroy needs a value for key, too"


def test_values_that_only_a_command_line_gives_are_needed(tmp_path: pathlib.Path) -> None:
    why = "Terraform needs a value for key, which it does not give"
    assert reasons(tmp_path, "run.sh", CREATE, stack(required=frozenset({"key"}))) == [why]


def test_the_name_of_the_stack_is_a_value_if_the_template_uses_it(tmp_path: pathlib.Path) -> None:
    named = stack(name_variable="stack_name", written_name="heat-web")
    assert rewrite(tmp_path, "run.sh", CREATE, named) == f"{INIT}\n{APPLY} -var stack_name=web"
    same = stack(name_variable="stack_name", written_name="web")
    assert rewrite(tmp_path, "run.sh", CREATE, same) == f"{INIT}\n{APPLY}"


MAKE = f"""\
STACK = web

create: x
\t@{CREATE[:-3]}$(STACK)

ip:
\t{SHOW_IP.replace("web", "$(STACK)")}

delete:
\t-openstack stack delete -y $(STACK)

events:
\topenstack stack event list $(STACK)

test:
\tif openstack stack show $(STACK); then x; fi

wait:
\tcd heat && openstack stack create -t web.yaml $(STACK)
"""


def test_makefiles(tmp_path: pathlib.Path) -> None:
    """Each rule is rewritten alone. Prefixes of recipes are repeated, and dollars of the shell doubled."""
    after = rewrite(tmp_path, "Makefile", MAKE)
    there = "terraform -chdir=../terraform/web"
    assert after == (
        f"STACK = web\n\ncreate: x\n\t@{INIT}\n\t@{APPLY}\n\nip:\n\t{INIT} >&2\n\t{IP}\n\n"
        f"delete:\n\t-{INIT}\n\t-{DESTROY}\n\nevents:\n\topenstack stack event list $(STACK)\n\n"
        f'test:\n\tif [ -n "$$({INIT} >/dev/null 2>&1 && {LIST} 2>/dev/null)" ]; then x; fi\n\n'
        f"wait:\n\tcd heat && ({there} init -input=false && {there} apply -input=false -auto-approve)\n"
    )


@pytest.mark.parametrize(
    "assignment", ["STACK ?= web", "STACK = $(X)", "STACK = a\nSTACK = b", "STACK = web\nprod: STACK = other"]
)
def test_a_name_that_a_user_of_make_may_set_is_not_known(tmp_path: pathlib.Path, assignment: str) -> None:
    text = f"{assignment}\ncreate:\n\t{CREATE[:-3]}$(STACK)\n"
    assert reasons(tmp_path, "Makefile", text) == ["the name of the stack is only known when it runs"]


GITLAB = f"""\
deploy:
  variables: {{STACK: web}}
  script:
    - echo a
    - {CREATE}
    - |
      IP=$({SHOW_IP})
      echo $IP
    - '{SHOW_IP}'
    - >
      openstack stack output show
      web ip -f value -c output_value
check:
  script:
    - openstack stack event list web
    - {CREATE}
destroy:
  script: openstack stack delete --wait $STACK
"""


def test_jobs_of_gitlab(tmp_path: pathlib.Path) -> None:
    """A job is rewritten as a whole. An item of a script becomes two."""
    assert (
        rewrite(tmp_path, ".gitlab-ci.yml", GITLAB)
        == f"""\
deploy:
  variables: {{STACK: web}}
  script:
    - echo a
    - {INIT}
    - {APPLY}
    - |
      IP=$({IP})
      echo $IP
    - '{IP}'
    - >
      {IP}
check:
  script:
    - openstack stack event list web
    - {CREATE}
destroy:
  script: ({INIT} && {DESTROY})
"""
    )


@pytest.mark.parametrize(
    "text",
    [
        f"a:\n  script: [x, {CREATE} --parameter zone=1, {CREATE} --parameter 'key=a,b']\n",
        "a:\n  script: [x, openstack stack create -t $HERE/heat/web.yaml web]\n",  # ${HERE} has braces
        "a:\n  script:\n    - openstack stack show web > /dev/null\n",
        f'a:\n  script:\n    - "if openstack stack show web; then x; fi"\n    - \'{CREATE} > "x"\'\n',
    ],
)
def test_yaml_stays_yaml(tmp_path: pathlib.Path, text: str) -> None:
    """Text that YAML would read otherwise is not written."""
    text += f"b:\n  script:\n    - {CREATE}\n"
    before, after = yaml.safe_load(text), yaml.safe_load(rewrite(tmp_path, ".gitlab-ci.yml", text))
    assert after["b"]["script"] == [INIT, APPLY]
    assert all(isinstance(item, str) for item in after["a"]["script"])
    for item in before["a"]["script"]:
        assert item in after["a"]["script"] or any("terraform" in new for new in after["a"]["script"])


def test_workflows_of_github(tmp_path: pathlib.Path) -> None:
    text = f"jobs:\n  a:\n    steps:\n      - run: {CREATE}\n      - run: |\n          {SHOW_IP}\n"
    after = f"jobs:\n  a:\n    steps:\n      - run: ({INIT} && {APPLY})\n      - run: |\n          {IP}\n"
    assert rewrite(tmp_path, ".github/workflows/a.yml", text) == after
    assert reasons(tmp_path, ".github/workflows/b.yml", text + "        working-directory: x\n")[0] != ""


PLAY = """\
- hosts: localhost
  tasks:
    - name: a
      openstack.cloud.stack:
        name: web
        cloud: "{{ cloud }}"
        template: heat/web.yaml
        wait: true
        parameters:
          key: "{{ key }}"
          image-id: x

      when: b
    - os_stack:
        name: web
        state: absent
"""


def test_tasks_of_ansible(tmp_path: pathlib.Path) -> None:
    assert (
        rewrite(tmp_path, "play.yml", PLAY)
        == """\
- hosts: localhost
  tasks:
    - name: a
      community.general.terraform:
        project_path: terraform/web
        force_init: true
        variables:
          key: "{{ key }}"
          image_id: x
      environment:
        OS_CLOUD: "{{ cloud }}"

      when: b
    - community.general.terraform:
        project_path: terraform/web
        force_init: true
        state: absent
"""
    )


@pytest.mark.parametrize(
    ("change", "reason"),
    yaml.safe_load(r"""
- [["name: web\n        cloud", "name: '{{ n }}'\n        cloud"], the name of the stack is only known when it runs]
- [["wait: true", "auth: {}"], its argument auth has no counterpart]
- [["when: b", "register: r\n    - debug: {var: r.stack}"], "later tasks read its result, r"]
- [["when: b", "environment: {A: b}"], it has an environment already]
- [["when: b", "loop: [a]"], it runs several times]
- [['key: "{{ key }}"', "zones: [a]"], "the parameter zones is a list or a map, which Terraform writes otherwise"]
- [["os_stack:", "my_os_stack:"], "the module is not Ansible's own"]
"""),
)
def test_tasks_that_are_left(tmp_path: pathlib.Path, change: tuple[str, str], reason: str) -> None:
    assert PLAY.count(change[0]) == 1
    assert reason in reasons(tmp_path, "play.yml", PLAY.replace(*change))


def test_a_module_that_runs_one_command_gets_no_two(tmp_path: pathlib.Path) -> None:
    text = f"- hosts: a\n  tasks:\n    - command: {CREATE}\n    - shell: |\n        {CREATE}\n"
    assert "no shell reads them" in reasons(tmp_path, "play.yml", text)[0]


README = f"""\
# Web

Run `openstack stack create -t heat/web.yaml <name>`, then:

```console
$ {CREATE}
$ openstack stack output show web ip
web> x
```

    openstack stack delete web
"""


def test_documents(tmp_path: pathlib.Path) -> None:
    """Code of documents is for people, who confirm themselves. Code in a sentence is left."""
    assert (
        rewrite(tmp_path, "README.md", README)
        == f"""\
# Web

Run `openstack stack create -t heat/web.yaml <name>`, then:

```console
$ {INIT.removesuffix(" -input=false")}
$ {APPLY.removesuffix(" -input=false -auto-approve")}
$ {IP}
web> x
```

    {INIT.removesuffix(" -input=false")}
    {DESTROY.removesuffix(" -input=false -auto-approve")}
"""
    )


def test_placeholders_of_documents(tmp_path: pathlib.Path) -> None:
    """A name in angle brackets stands for any name, so it stays one."""
    named = stack(name_variable="stack_name", written_name="heat-web")
    text = "```\nopenstack stack create -t heat/web.yaml --parameter key=<my key> <stack name>\n"
    text += "openstack stack output show <stack name> --all\n```\n"
    assert rewrite(tmp_path, "README.md", text, named) == (
        "```\nterraform -chdir=terraform/web init\nterraform -chdir=terraform/web apply -var key=<my key> "
        '-var "stack_name=<stack name>"\nterraform -chdir=terraform/web output\n```\n'
    )


def test_programs_are_listed_alone(tmp_path: pathlib.Path) -> None:
    text = 'import heatclient\nheat.stacks.create(stack_name="web")\nsubprocess.call(["openstack", "stack", "list"])\n'
    result = search(tmp_path, {"a.py": text})
    assert [(site.line, site.action, site.reason) for site in result.sites] == [
        (2, "create", "it is a call in Python"),
        (3, "list", "it is a call in Python"),
    ]
    assert result.patch == ""


def test_the_result_may_lie_elsewhere(tmp_path: pathlib.Path) -> None:
    after = rewrite(tmp_path, "tools/run.sh", "openstack stack create -t ../heat/web.yaml web\n", dest="../tf")
    assert after.splitlines()[0] == "terraform -chdir=../../tf/web init -input=false"
    why = reasons(tmp_path, "run.sh", CREATE, stack(output="a b"))
    assert why == ["its path cannot be written safely"]


PRODUCTION = StackLocation("web", "environments/prod.tfvars", "environments/prod.backend.hcl")
IN_WORKSPACE = StackLocation("web", "environments/prod.tfvars", workspace="prod")


def test_environments_that_share_a_directory(tmp_path: pathlib.Path) -> None:
    """Each has its values and its state, so each call chooses its own first, reads, too."""
    here = "terraform -chdir=terraform/web"
    shared = stack((PROD,), output="web/prod", location=PRODUCTION)
    text = f"{CREATE} -e {PROD}\nIP=$({SHOW_IP})\nopenstack stack delete -y web || x\n"
    init = f"{here} init -reconfigure -backend-config=environments/prod.backend.hcl -input=false"
    values = "-input=false -auto-approve -var-file=environments/prod.tfvars"
    assert rewrite(tmp_path, "run.sh", text, shared) == (
        f"{init}\n{here} apply {values}\nIP=$({init} >&2 && {here} output -raw ip)\n"
        f"({init} && {here} destroy {values}) || x\n"
    )


def environment(name: str) -> StackFacts:
    """A stack whose environment has the name of its directory."""
    location = StackLocation("web", f"environments/{name}.tfvars", f"environments/{name}.backend.hcl")
    return stack((f"heat/{name}/web.env",), output=f"web/{name}", location=location)


@pytest.mark.parametrize(
    ("path", "script", "variable"),
    [
        ("Makefile", "x:\n\t{}\n", "$(ENV)"),
        ("Makefile", "x:\n\tfor e in dev prod; do \\\n\t{}; \\\n\tdone\n", "$${e}"),
        ("run.sh", "for e in dev prod; do\n  {}\ndone\n", "${e}"),
    ],
)
def test_a_variable_in_the_path_of_an_environment(
    tmp_path: pathlib.Path, path: str, script: str, variable: str
) -> None:
    """The variable stands in the same place of Terraform's files, for all environments that it may mean."""
    command = f"openstack stack create -t {WEB} -e heat/{variable}/web.env web-{variable}"
    text = script.format(command) + "\n".join(["", "y:", ""] if path == "Makefile" else [""])
    after = rewrite(tmp_path, path, text, environment("dev"), environment("prod"))
    values = f"-backend-config=environments/{variable}.backend.hcl", f"-var-file=environments/{variable}.tfvars"
    assert all(after.count(value) == 1 for value in values)
    assert "openstack" not in after


def test_a_variable_that_may_mean_another_environment_is_left(tmp_path: pathlib.Path) -> None:
    """The directory is named all the same."""
    command = f"openstack stack create -t {WEB} -e heat/$1/web.env web-$1\n"
    tree(tmp_path, {"heat/test/web.env": ""})
    moved = stack(("heat/prod/web.env",), output="web-prod", location=StackLocation("web-prod"))
    calls = search(tmp_path, {"run.sh": command.encode()}, environment("dev"), moved)
    assert [(site.reason, site.stack) for site in calls.sites] == [
        ("its environments do not share a directory under their names", "web/dev")
    ]


def test_a_value_that_the_plan_has_is_not_given_again(tmp_path: pathlib.Path) -> None:
    one, two = (
        replace(stack(output=f"web/{name}"), plan=StackPlan(WEB, parameters={"size": size}, name=name, output=name))
        for name, size in (("one", "1"), ("two", "2"))
    )
    text = f"{CREATE[:-3]}--parameter size=2 --parameter key=k two\n"
    assert rewrite(tmp_path, "run.sh", text, one, two).endswith("apply -input=false -auto-approve -var key=k\n")


def test_a_template_with_an_unknown_environment_is_named_with_its_directory(tmp_path: pathlib.Path) -> None:
    calls = search(tmp_path, {"run.sh": f"openstack stack create -t {WEB} -e $X.env web\n".encode()})
    assert [(site.reason, site.stack) for site in calls.sites] == [("an environment that it names is not known", "web")]


def test_environments_in_workspaces(tmp_path: pathlib.Path) -> None:
    here = "terraform -chdir=terraform/web"
    shared = stack((PROD,), output="web/prod", location=IN_WORKSPACE)
    select = f"{here} workspace select -or-create prod"
    assert rewrite(tmp_path, "run.sh", f"{CREATE} -e {PROD}\nIP=$({SHOW_IP})\n", shared) == (
        f"{here} init -input=false\n{select}\n"
        f"{here} apply -input=false -auto-approve -var-file=environments/prod.tfvars\n"
        f"IP=$({here} init -input=false >&2 && {select} >&2 && {here} output -raw ip)\n"
    )


def test_environments_in_a_playbook(tmp_path: pathlib.Path) -> None:
    text = PLAY.replace("        wait: true\n", f"        environment: [{PROD}]\n")
    shared = stack((PROD,), output="web/prod", location=PRODUCTION)
    task = yaml.safe_load(rewrite(tmp_path, "play.yml", text, shared))[0]["tasks"][0]["community.general.terraform"]
    assert task == {
        "project_path": "terraform/web",
        "force_init": True,
        "init_reconfigure": True,
        "backend_config_files": ["environments/prod.backend.hcl"],
        "variables_files": ["environments/prod.tfvars"],
        "variables": {"key": "{{ key }}", "image_id": "x"},
    }


WAITS = "Terraform waits until everything is done"


@pytest.mark.parametrize(
    ("path", "text", "notes"),
    [
        ("run.sh", CREATE, []),
        ("run.sh", CREATE.replace(" --wait", ""), [WAITS]),
        ("run.sh", f"{CREATE} --parameter unused=1", ["the template uses the parameter unused nowhere"]),
        ("run.sh", f"{CREATE} --tags a --enable-rollback", [
            "the tags of the stack are dropped", "Terraform does not roll back",
        ]),
        (".gitlab-ci.yml", f"a:\n  script: {CREATE}", ["the job needs Terraform"]),
        ("README.md", f"```sh\n{CREATE.replace(' --wait', '')}\n```", []),  # for people, who see it
        ("run.sh", f"{CREATE}\nopenstack stack delete web", [
            "Terraform asks for a confirmation; where nobody can answer, add -auto-approve", WAITS,
        ]),
        ("run.sh", f"{CREATE}\nopenstack stack delete --yes --wait web", []),
    ],
)  # fmt: skip
def test_notes_say_what_a_rewritten_call_loses(tmp_path: pathlib.Path, path: str, text: str, notes: list[str]) -> None:
    sites = search(tmp_path, {path: f"{text}\n"}).sites
    assert [note for site in sites for note in site.notes] == notes
    assert not any(site.reason for site in sites)


@pytest.mark.parametrize(("words", "asked"), [("", True), (" --parameter size=1", False)])
def test_a_value_that_terraform_would_ask_for_is_noted(tmp_path: pathlib.Path, words: str, asked: bool) -> None:
    (site,) = search(tmp_path, {"run.sh": f"{CREATE}{words}\n"}, stack(asked=("size",))).sites
    assert any("needs a value for size" in note for note in site.notes) is asked


def test_secrets_are_not_shown(tmp_path: pathlib.Path) -> None:
    """The patch has the values of the lines that it changes, the list does not."""
    result = search(tmp_path, {"run.sh": f"{CREATE} --parameter key=hunter2\n"})
    assert "hunter2" in result.patch
    assert "hunter2" not in repr([(site.replacement, site.reason, site.notes) for site in result.sites])


def test_the_template_is_found_from_the_directory_of_the_script(tmp_path: pathlib.Path) -> None:
    assert WEB == "heat/web.yaml"
    after = rewrite(tmp_path, "heat/run.sh", "openstack stack create -t web.yaml web\n")
    assert after.startswith("terraform -chdir=../terraform/web init")
