# Made by hot2tf from input.yaml

locals {
  run_pod_manifest = jsonencode({
    version = "v1beta2"
    containers = [
      {
        name  = "echo"
        image = "busybox"
        ports = [
          { hostPort = 8080, containerPort = 8080 },
        ]
      },
    ]
  })

  apply_state_minion = jsonencode({
    include  = ["/etc/salt/minion", "/etc/salt/minion.d/*.conf"]
    greeting = var.message
    packages = var.packages
  })

  # HOT561: apply_state is part of the user data of node: it runs at first boot, nobody waits for it or notices if it fails, and a change to it replaces the server.
  apply_state_commands = <<-EOT
    install -d -m 700 apply_state_salt/states
    cat >apply_state_salt/states/apply_state.sls <<'END'
    tools:
      pkg.installed:
        - pkgs: {{ opts['packages'] }}
    /etc/motd:
      file.managed:
        - contents: "{{ opts['greeting'] }}"
    END
    printf %s '${replace(local.apply_state_minion, "'", "'\\''")}' >apply_state_salt/minion
    salt-call --local --retcode-passthrough --config-dir /var/lib/hot2tf/apply_state_salt --file-root /var/lib/hot2tf/apply_state_salt/states state.sls apply_state
  EOT

  cook_node = jsonencode({
    nginx    = { workers = 4, names = var.packages }
    run_list = ["recipe[nginx]", "role[web]"]
  })

  # Heat would not notice if it failed
  # HOT561: cook is part of the user data of node: it runs at first boot, nobody waits for it or notices if it fails, and a change to it replaces the server.
  cook_commands = <<-EOT
    git clone https://git.example.org/kitchen.git /opt/kitchen
    install -d -m 700 cook_nodes
    cat >cook.rb <<'END'
    log_level :debug
    log_location STDOUT
    local_mode true
    chef_zero.enabled true
    cookbook_path '/opt/kitchen/cookbooks'
    role_path '/opt/kitchen/roles'
    environment_path '/opt/kitchen/environments'
    environment 'test'
    node_path '/var/lib/hot2tf/cook_nodes'
    END
    printf %s '${replace(local.cook_node, "'", "'\\''")}' >cook.json
    fqdn=$(hostname -f) && cp cook.json "cook_nodes/$fqdn.json"
    chef-client -z --config cook.rb -j "cook_nodes/$fqdn.json"
  EOT

  # HOT507: A script does what cfn-init does with the configuration of write_files.
  # HOT561: write_files is part of the user data of node: it runs at first boot, nobody waits for it or notices if it fails, and a change to it replaces the server.
  write_files_commands = <<-EOT
    [ -d /var/lib/hot2tf/write_files_files/etc ] || install -d -m 700 /var/lib/hot2tf/write_files_files/etc
    printf %s '${replace(var.message, "'", "'\\''")}' >/var/lib/hot2tf/write_files_files/etc/greeting
    cat >write_files_cfn_init <<'END'
    #!/bin/sh
    # Does what cfn-init does with the metadata of write_files, without Heat.
    set -e
    say() { echo "cfn-init: $1" >&2; }
    command -v yum > /dev/null || yum() { dnf "$@"; }
    with_yum() { # PACKAGE...
      for package; do
        rpm -q "$package" > /dev/null || yum -y install "$package" || say "$package is not installed"
      done
    }
    place() { # PATH MODE OWNER GROUP, from the staged copy
      mkdir -p "$(dirname "$1")"
      cat "$staged$1" > "$1"
      own "$@"
    }
    own() { # PATH MODE OWNER GROUP
      if [ "$3" ]; then chown "$3" "$1" || say "the owner of $1 is not $3"; fi
      if [ "$4" ]; then chgrp "$4" "$1" || say "the group of $1 is not $4"; fi
      if [ "$2" ]; then chmod "$2" "$1"; fi
    }
    command -v systemctl > /dev/null || systemctl() { # a system without systemd
      case $1 in
        enable) chkconfig "$${2%.service}" on || update-rc.d "$${2%.service}" enable ;;
        disable) chkconfig "$${2%.service}" off || update-rc.d "$${2%.service}" disable ;;
        *) service "$${2%.service}" "$1" ;;
      esac
    }

    # packages
    with_yum httpd
    # files
    staged=/var/lib/hot2tf/write_files_files
    place /etc/greeting 0644 '' ''
    # services
    systemctl enable httpd.service || say 'httpd is not enabled'
    systemctl start httpd.service || say 'httpd is not started'
    END
    chmod 700 write_files_cfn_init
    (cd / && /var/lib/hot2tf/write_files_cfn_init)
    rm -rf /var/lib/hot2tf/write_files_files
  EOT

  write_report_text = join(", ", [
    for item in var.packages :
    strcontains(item, "'") && !strcontains(item, "\"") ? "\"${replace(replace(replace(replace(item, "\\", "\\\\"), "\n", "\\n"), "\r", "\\r"), "\t", "\\t")}\"" : "'${replace(replace(replace(replace(replace(item, "\\", "\\\\"), "\n", "\\n"), "\r", "\\r"), "\t", "\\t"), "'", "\\'")}'"
  ])

  write_report_packages = "[${local.write_report_text}]"

  # HOT561: write_report is part of the user data of node: it runs at first boot, nobody waits for it or notices if it fails, and a change to it replaces the server.
  write_report_commands = <<-EOT
    export packages='${replace(local.write_report_packages, "'", "'\\''")}'
    export limits='{'\''cpu'\'': [1, 2.5], '\''strict'\'': True, '\''none'\'': None}'
    cat >write_report <<'END'
    #!/bin/sh
    echo "$packages $limits" >/var/log/report
    END
    chmod 700 write_report
    ./write_report
  EOT
}
