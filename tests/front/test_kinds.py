"""The kind of a document: every command that looks for files gets the same answer."""

from __future__ import annotations

import pytest

from transpile.front import kinds
from transpile.model.budget import Budget
from transpile.model.source import Source

HOT = "heat_template_version: 2021-04-16\n"


def kind(text: str, name: str = "a.yaml") -> str:
    return kinds.kind_of_text(Source(name, text, budget=Budget()))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (HOT, kinds.TEMPLATE),
        (f"# first\n---\nresources: {{}}\n{HOT}", kinds.TEMPLATE),
        ('{"resources": {}, "heat_template_version": "2021-04-16"}', kinds.TEMPLATE),
        ("AWSTemplateFormatVersion: 2010-09-09\n", kinds.TEMPLATE),
        (f"{HOT}resources: [\n", kinds.TEMPLATE),  # it cannot be read, and claims to be one
        ("homing_template_version: 2018-02-01\n", "homing_template_version"),
        ("resource_registry: {}\n", kinds.ENVIRONMENT),
        ("parameters: {image: ubuntu}\n", kinds.ENVIRONMENT),
        ("parameter_defaults: {a: b}\nparametres: {}\n", kinds.ENVIRONMENT),  # with a mistake
        ("requires: {rack: a}\n", kinds.ENVIRONMENT),
    ],
)
def test_documents_of_heat(text: str, expected: str) -> None:
    assert kind(text) == expected


FOREIGN = {
    "Azure pipeline": "parameters:\n- name: image\n  type: string\n  default: a\nsteps:\n- script: make\n",
    "Azure template": "parameters:\n  image: ''\n  pool: {}\njobs:\n- job: build\n",
    "Azure parameters alone": "parameters:\n- name: image\n  type: string\n",
    "OpenAPI": "openapi: 3.0.0\npaths: {}\nparameters: {}\n",
    "OpenAPI component": "parameters:\n  limit: {in: query, name: limit, schema: {type: integer}}\n",
    "TOSCA": "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template: {inputs: {}}\nparameters: {}\n",
    "declarations": "parameters:\n  image: {type: string}\n  flavor: {type: string}\n",
    "Ansible": "- hosts: all\n  vars:\n    heat_template_version: 2021-04-16\n",
    "Kubernetes": "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nparameters: {type: gp2}\n",
    "Kubernetes with a template": "kind: ConfigMap\ndata:\n  a.yaml: |\n    heat_template_version: 2021-04-16\n",
    "OpenShift": "kind: Template\nobjects: []\nparameters:\n- name: A\n  value: b\n",
    "docker-compose": "services: {web: {image: nginx, deploy: {resources: {limits: {cpus: '1'}}}}}\n",
    "serverless": "resources:\n  Resources: {}\nprovider: aws\n",
    "CircleCI": "version: 2.1\nparameters: {image: {type: string}}\njobs: {}\n",
    "Symfony": "parameters: {locale: en}\nservices: {}\n",
    "Galaxy": "requires: ['>=2.9']\n",
    "GitLab": "stages: [test]\nrequires: {}\n",
    "a list": "- parameters\n",
    "a text": "parameters and more\n",
}


@pytest.mark.parametrize("text", FOREIGN.values(), ids=FOREIGN.keys())
def test_documents_of_others(text: str) -> None:
    assert kind(text) == kinds.FOREIGN


def test_the_name_of_a_file_counts_where_its_text_may_be_both() -> None:
    assert kind("parameters:\n") == kinds.FOREIGN
    assert kind("parameters:\n", "prod.env") == kinds.ENVIRONMENT
    assert kind("parameters: {a: b}\nparameter: {}\n") == kinds.FOREIGN
    assert kind("parameters: {a: b}\nparameter: {}\n", "env-prod.yaml") == kinds.ENVIRONMENT  # misspelt
    assert kind("parameters: {a: b}\njobs: {}\n", "environment.yaml") == kinds.FOREIGN
