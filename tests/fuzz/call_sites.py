"""Files that call Heat, for repositories: scripts, rules of make, jobs, playbooks, programs and documents."""

from __future__ import annotations

import random

from tests.fuzz import text_mutations
from tests.fuzz.case import File

BROKEN = 0.3  # the share of files in which some bytes become others
TIMES = (0, 0, 1, 1, 2, 5)
SHELL = """\
#!/bin/bash -e
STACK=web
ENVIRONMENT="fuzz.env.yaml"  # café
cd "$(dirname "$0")/.."
openstack stack create -t stack.yaml -e "$ENVIRONMENT" --parameter s=$1 --wait "$STACK" && echo created
if ! openstack stack show web >/dev/null 2>&1; then heat stack-create -f stack.yaml -P 's=a b;n=2' web; fi
IP=$(openstack stack output show web o -f value -c output_value)
ssh host "openstack stack delete --yes web" <<EOF
openstack stack update -t stack.yaml web
EOF
for name in a b; do openstack stack delete -y --wait "web-$name" || true; done
"""
MAKE = """\
STACK ?= web
deploy: stack.yaml  # until it is there
\t@openstack stack create --template $< --environment fuzz.env.yaml \\
\t  --parameter "s=$(VALUE)" $(STACK)
destroy:
\topenstack stack delete -y $(STACK)
"""
PLAYBOOK = """\
- hosts: all
  vars: {name: web}
  tasks:
    - name: café
      openstack.cloud.stack:
        name: web
        state: present
        template: stack.yaml
        environment: [fuzz.env.yaml]
        parameters:
          s: a
          n: 2
    - os_stack: {name: "{{ name }}", state: absent}
    - shell: |
        openstack stack create -t stack.yaml web
        openstack stack output show web o
---
- hosts: b
  tasks: [{command: heat stack-delete web}]
"""
CI = """\
variables: {STACK: web}
deploy:
  script:
    - openstack stack create -t stack.yaml -e fuzz.env.yaml "$STACK"
    - 'openstack stack list | grep web'
    - "openstack stack update -t \\"stack.yaml\\" web"
"""
PYTHON = """\
import subprocess
subprocess.run(["openstack", "stack", "create", "-t", "stack.yaml", "web"])
heat.stacks.create(stack_name="web", template="stack.yaml", parameters={"s": "é"})
cloud.create_stack("web", template_file="stack.yaml")
"""
TEXT = """\
# Deploy

    $ openstack stack create -t stack.yaml -e fuzz.env.yaml <name>

Then `heat stack-list`, and:

```sh
openstack stack delete web
```
"""
SEEDS = {
    "deploy.sh": SHELL,
    "scripts/deploy": SHELL,
    "deploy.sh.j2": SHELL,
    "Makefile": MAKE,
    "play.yml": PLAYBOOK,
    ".gitlab-ci.yml": CI,
    ".github/workflows/deploy.yml": CI,
    "tools/deploy.py": PYTHON,
    "README.md": TEXT,
    "README.rst": TEXT,
    "Jenkinsfile": "node { sh 'openstack stack create -t stack.yaml web' }\n",
    "run.bat": "openstack stack create -t stack.yaml web\r\n",
}


def files(rng: random.Random) -> dict[str, File]:
    """One to three files below `src`."""
    chosen = {}
    for name in rng.sample(list(SEEDS), rng.choice((1, 1, 2, 3))):
        text = text_mutations.mutate(rng, SEEDS[name], rng.choice(TIMES))
        data = text.encode("utf-8", "surrogatepass")
        chosen[f"src/{name}"] = (
            File(data=text_mutations.in_bytes(rng, data)) if rng.random() < BROKEN else File(data=data)
        )
    return chosen
