# Made by hot2tf from input.yaml

data "cloudinit_config" "web_user_data" {
  gzip          = false
  base64_encode = false

  # HOT516: run_pod waits for containers by their names in the pod, and ignores the name of the pod.
  # HOT561: run_pod is part of the user data of web: it runs at first boot, nobody waits for it or notices if it fails, and a change to it replaces the server.
  part {
    filename     = "zz-deployments"
    content_type = "text/x-shellscript"

    content = <<-EOT
      #!/bin/sh
      set -e
      install -d -m 700 /var/lib/hot2tf
      cd /var/lib/hot2tf
      [ -d /var/lib/heat-config/heat-config-kubelet/kubelet-manifests ] || install -d -m 700 /var/lib/heat-config/heat-config-kubelet/kubelet-manifests
      printf %s '${replace(local.run_pod_manifest, "'", "'\\''")}' >/var/lib/heat-config/heat-config-kubelet/kubelet-manifests/run_pod.json
      chmod 600 /var/lib/heat-config/heat-config-kubelet/kubelet-manifests/run_pod.json
      poll_period=5
      wait_until() { # SECONDS COMMAND...
        end=$(($(date +%s) + $1))
        shift
        until "$@"; do
          [ "$(date +%s)" -le "$end" ] || { echo "timed out: $*" >&2; return 1; }
          sleep "$poll_period"
        done
      }
      has_image() { # PREFIX
        docker images --format '{{.Repository}}:{{.Tag}}' | awk -v prefix="$1" 'index($0, prefix) == 1 {n = 1} END {exit !n}'
      }
      has_container() { docker ps --format '{{.Names}}' | grep -q "^k8s_$1[._]"; }
      wait_until 60 has_image busybox:
      wait_until 120 has_container echo
    EOT
  }
}

data "cloudinit_config" "node_user_data" {
  gzip          = false
  base64_encode = false

  part {
    filename     = "zz-deployments"
    content_type = "text/x-shellscript"

    content = <<-EOT
      #!/bin/sh
      set -e
      install -d -m 700 /var/lib/hot2tf
      cd /var/lib/hot2tf

      # apply_state
      (
      ${local.apply_state_commands})

      # cook
      (
      ${local.cook_commands}) &
      wait "$!" || true

      # write_files
      (
      ${local.write_files_commands})

      # write_report
      (
      ${local.write_report_commands})
    EOT
  }
}
