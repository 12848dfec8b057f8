"""Generates realistic HOT templates: one hundred of 40 to 420 lines, always the same ones.

Invariant: no randomness and no clock, so that different runs and versions are measured on the same texts. Changing a
piece makes earlier figures incomparable.
"""

from __future__ import annotations

import textwrap

SECTIONS = ("parameters", "conditions", "resources", "outputs")
SHORTEST, LONGEST = 30, 420  # requested lines; the minimum is 41

BASE = """
parameters:
  key_name:
    type: string
    description: Name of an existing key pair.
    constraints:
      - custom_constraint: nova.keypair
  image:
    type: string
    default: ubuntu-22.04
  network:
    type: string
    default: private
resources:
outputs:
"""

SERVER = """
parameters:
  flavor~:
    type: string
    default: m1.small
    constraints:
      - allowed_values: [m1.small, m1.medium, m1.large]
        description: must be one of ours
resources:
  server~:
    type: OS::Nova::Server
    properties:
      name: {list_join: ['-', [{get_param: 'OS::stack_name'}, server, '~']]}
      image: {get_param: image}
      flavor: {get_param: flavor~}
      key_name: {get_param: key_name}
      networks:
        - network: {get_param: network}
outputs:
  server~_address:
    description: Where the server answers.
    value: {get_attr: [server~, first_address]}
"""

NETWORK = """
parameters:
  public_net~:
    type: string
    description: The network that routers have their gateway in.
  cidr~:
    type: string
    default: 10.0.~.0/24
    constraints:
      - allowed_pattern: '[0-9.]+/[0-9]+'
  dns~:
    type: comma_delimited_list
    default: 8.8.8.8,8.8.4.4
resources:
  # everything of this tier is plugged in here
  net~:
    type: OS::Neutron::Net
    properties:
      name: {str_replace: {template: net-STACK, params: {STACK: {get_param: 'OS::stack_name'}}}}
  subnet~:
    type: OS::Neutron::Subnet
    properties:
      network: {get_resource: net~}
      cidr: {get_param: cidr~}
      dns_nameservers: {get_param: dns~}
      allocation_pools:
        - start: 10.0.~.10
          end: 10.0.~.200
  router~:
    type: OS::Neutron::Router
    properties:
      external_gateway_info:
        network: {get_param: public_net~}
  interface~:
    type: OS::Neutron::RouterInterface
    properties:
      router: {get_resource: router~}
      subnet: {get_resource: subnet~}
  port~:
    type: OS::Neutron::Port
    properties:
      network: {get_resource: net~}
      fixed_ips:
        - subnet: {get_resource: subnet~}
  address~:
    type: OS::Neutron::FloatingIP
    depends_on: interface~
    properties:
      floating_network: {get_param: public_net~}
      port_id: {get_resource: port~}
outputs:
  public_address~:
    value: {get_attr: [address~, floating_ip_address]}
"""

RULES = """
resources:
  rules~:
    type: OS::Neutron::SecurityGroup
    properties:
      description: Web and SSH
      rules:
        - {protocol: icmp}
        - {protocol: tcp, port_range_min: 22, port_range_max: 22}  # from everywhere
        - {protocol: tcp, port_range_min: 80, port_range_max: 80, remote_ip_prefix: 0.0.0.0/0}
        - direction: egress
          ethertype: IPv4
          protocol: udp
"""

VOLUME = """
parameters:
  size~:
    type: number
    default: 10
    description: Size of the volume in GB.
    constraints:
      - range: {min: 1, max: 1024}
  with_volume~:
    type: boolean
    default: true
conditions:
  volume_wanted~: {equals: [{get_param: with_volume~}, true]}
resources:
  volume~:
    type: OS::Cinder::Volume
    condition: volume_wanted~
    deletion_policy: Retain
    properties:
      name: data-~
      size: {get_param: size~}
  store~:
    type: OS::Nova::Server
    properties:
      image: {get_param: image}
      flavor: m1.large
      key_name: {get_param: key_name}
      networks: [{network: {get_param: network}}]
  # the disk is optional, and so is this
  attachment~:
    type: OS::Cinder::VolumeAttachment
    condition: volume_wanted~
    properties:
      instance_uuid: {get_resource: store~}
      volume_id: {get_resource: volume~}
      mountpoint: /dev/vdb
outputs:
  volume~:
    condition: volume_wanted~
    value: {get_resource: volume~}
"""

DATABASE = """
parameters:
  db_user~:
    type: string
    default: wordpress
    constraints:
      - length: {min: 1, max: 16}
      - allowed_pattern: '[a-zA-Z][a-zA-Z0-9]*'
        description: must begin with a letter
  db_root_password~:
    type: string
    hidden: true
resources:
  db_password~:
    type: OS::Heat::RandomString
    properties:
      length: 16
  db~:
    type: OS::Nova::Server
    properties:
      image: {get_param: image}
      flavor: m1.medium
      key_name: {get_param: key_name}
      networks: [{network: {get_param: network}}]
      metadata: {role: db, tier: '~'}
      user_data_format: RAW
      user_data:
        str_replace:
          template: |
            #!/bin/bash -v
            # set up by Heat
            yum -y install mariadb mariadb-server
            systemctl enable --now mariadb.service
            mysqladmin -u root password $root_password
            cat << EOF | mysql -u root --password=$root_password
            CREATE DATABASE app~;
            GRANT ALL PRIVILEGES ON app~.* TO "$user"@"localhost" IDENTIFIED BY "$password";
            FLUSH PRIVILEGES;
            EXIT
            EOF
          params:
            $root_password: {get_param: db_root_password~}
            $user: {get_param: db_user~}
            $password: {get_attr: [db_password~, value]}
outputs:
  db_url~:
    description: Where clients connect to.
    value:
      list_join:
        - ''
        - ['mysql://', {get_param: db_user~}, '@', {get_attr: [db~, first_address]}, ':3306/app~']
"""

BALANCER = """
resources:
  balancer~:
    type: OS::Octavia::LoadBalancer
    properties:
      vip_subnet: private-subnet
  listener~:
    type: OS::Octavia::Listener
    properties:
      loadbalancer: {get_resource: balancer~}
      protocol: HTTP
      protocol_port: 80
  pool~:
    type: OS::Octavia::Pool
    properties:
      listener: {get_resource: listener~}
      protocol: HTTP
      lb_algorithm: ROUND_ROBIN
      session_persistence:
        type: HTTP_COOKIE
  monitor~:
    type: OS::Octavia::HealthMonitor
    properties:
      pool: {get_resource: pool~}
      type: HTTP
      delay: 5
      max_retries: 3
      timeout: 5
  back~:
    type: OS::Nova::Server
    properties:
      image: {get_param: image}
      flavor: m1.small
      key_name: {get_param: key_name}
      networks: [{network: {get_param: network}}]
  member~:
    type: OS::Octavia::PoolMember
    properties:
      pool: {get_resource: pool~}
      address: {get_attr: [back~, first_address]}
      protocol_port: 8080
outputs:
  vip~:
    value: {get_attr: [balancer~, vip_address]}
"""

CLUSTER = """
parameters:
  count~:
    type: number
    default: 3
    constraints:
      - range: {min: 1, max: 9}
resources:
  workers~:
    type: OS::Heat::ResourceGroup
    properties:
      count: {get_param: count~}
      resource_def:
        type: OS::Nova::Server
        properties:
          name: worker-~-%index%
          image: {get_param: image}
          flavor: m1.small
          networks: [{network: {get_param: network}}]
outputs:
  workers~:
    value: {get_attr: [workers~, first_address]}
"""

CLOUD_CONFIG = """
resources:
  config~:
    type: OS::Heat::CloudConfig
    properties:
      cloud_config:
        package_update: true
        packages: [nginx, {get_param: image}]
  script~:
    type: OS::Heat::SoftwareConfig
    properties:
      group: ungrouped
      config: |
        #!/bin/sh
        # says where it runs
        echo "server ~" > /etc/motd
  parts~:
    type: OS::Heat::MultipartMime
    properties:
      parts:
        - config: {get_resource: config~}
        - config: {get_resource: script~}
  init~:
    type: OS::Nova::Server
    properties:
      image: {get_param: image}
      flavor: m1.small
      networks: [{network: {get_param: network}}]
      user_data_format: RAW
      user_data: {get_resource: parts~}
"""

SCALING = """
parameters:
  most~:
    type: number
    default: 5
resources:
  # Terraform has nothing like it
  group~:
    type: OS::Heat::AutoScalingGroup
    properties:
      min_size: 1
      max_size: {get_param: most~}
      resource:
        type: OS::Nova::Server
        properties:
          image: {get_param: image}
          flavor: m1.small
          key_name: {get_param: key_name}
          metadata: {'metering.server_group': {get_param: 'OS::stack_id'}}
          networks: [{network: {get_param: network}}]
  up~:
    type: OS::Heat::ScalingPolicy
    properties:
      adjustment_type: change_in_capacity
      auto_scaling_group_id: {get_resource: group~}
      cooldown: 60
      scaling_adjustment: 1
  alarm~:
    type: OS::Aodh::GnocchiAggregationByResourcesAlarm
    properties:
      metric: cpu
      aggregation_method: mean
      threshold: 80
      resource_type: instance
      comparison_operator: gt
      query: '{}'
      alarm_actions: [{get_attr: [up~, alarm_url]}]
outputs:
  scale_up~:
    description: Post here to scale up.
    value: {get_attr: [up~, signal_url]}
"""

WAITING = """
resources:
  handle~:
    type: OS::Heat::WaitConditionHandle
  condition~:
    type: OS::Heat::WaitCondition
    properties:
      handle: {get_resource: handle~}
      timeout: 600
  waited~:
    type: OS::Nova::Server
    properties:
      image: {get_param: image}
      flavor: m1.small
      networks: [{network: {get_param: network}}]
      user_data_format: RAW
      user_data:
        str_replace:
          template: |
            #!/bin/sh
            notify --data-binary '{"status": "SUCCESS"}'
          params:
            notify: {get_attr: [handle~, curl_cli]}
outputs:
  said~:
    value: {get_attr: [condition~, data]}
"""

PIECES = (SERVER, NETWORK, RULES, VOLUME, DATABASE, BALANCER, CLUSTER, CLOUD_CONFIG)
IN_HEAT = (SCALING, WAITING)  # includes parts that stay with Heat


def by_section(piece: str, number: int) -> dict[str, list[str]]:
    """The lines of a piece, with `~` replaced by its number."""
    out: dict[str, list[str]] = {}
    section = ""
    for line in piece.replace("~", str(number)).strip().splitlines():
        if line[0] != " ":
            section = line.rstrip(":")
            out[section] = []
        else:
            out[section].append(line)
    return out


def template(number: int, lines: int) -> str:
    """A template of about the requested number of lines. Every third one has parts that stay with Heat."""
    pieces = PIECES if number % 3 else PIECES + IN_HEAT
    first = number * 3 if number % 3 else len(PIECES) + number // 3 % len(IN_HEAT)
    body: dict[str, list[str]] = {section: [] for section in SECTIONS}
    for section, section_lines in by_section(BASE, 0).items():
        body[section] += section_lines
    added = 0
    while added == 0 or sum(map(len, body.values())) < lines - 15:
        for section, section_lines in by_section(pieces[(first + added) % len(pieces)], added + 1).items():
            body[section] += section_lines
        added += 1
    head = textwrap.dedent(
        f"""\
        heat_template_version: 2018-08-31

        # Template {number} of the benchmark.
        description: >
          Some servers and their needs,
          in {added} part{"s" * (added != 1)}.
        """
    )
    return head + "".join(
        f"\n{section}:\n" + "\n".join(section_lines) + "\n" for section, section_lines in body.items() if section_lines
    )


def realistic(count: int = 100) -> list[str]:
    """Templates from short to long. Most are short, as in practice."""
    growth = LONGEST / SHORTEST
    return [template(n, round(SHORTEST * growth ** (n / max(count - 1, 1)))) for n in range(count)]
