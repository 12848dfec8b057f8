# Made by hot2tf from input.yaml

locals {
  # HOT599: Nobody listens to web_handle: sh -c 'cat >/dev/null' curl replaces its command.
  # HOT599: Nobody listens to web_handle: file:///dev/null replaces its URL.
  # HOT599: Nobody listens to web_handle: unused replaces its token.
  web_setup = <<-EOT
    #!/bin/bash
    setup 2>&1 | tee /var/log/setup | sh -c 'cat >/dev/null' curl --data-binary @-
    curl -X POST -H "X-Auth-Token: unused" -d '{"status": "SUCCESS"}' file:///dev/null
  EOT
}
