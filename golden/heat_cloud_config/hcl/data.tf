# Made by hot2tf from input.yaml

data "cloudinit_config" "parts" {
  gzip          = false
  base64_encode = false

  part {
    content_type = "text/plain"
    content      = local.config
  }

  part {
    filename     = "run.sh"
    content_type = "text/run"
    content      = local.script
  }

  part {
    filename     = "x-shellscript"
    content_type = "text/x-shellscript"
    content      = "plain text"
  }
}
