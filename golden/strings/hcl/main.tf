# Made by hot2tf from input.yaml

resource "openstack_compute_instance_v2" "server" {
  name        = "server"
  image_name  = "cirros"
  flavor_name = "m1.tiny"

  # HOT571: Terraform makes every string NFC; this text is not.
  metadata = {
    dollar  = "$"
    dollars = "$$${a} $$ $${b"
    percent = "%%{ for x in y }"
    quotes  = "\"'`"
    unicode = "Grüße 🌍  "
    control = "bell\u0007 escape\u001b"
    newline = chomp(<<-EOT
      a
      b
    EOT
    )
    crlf               = "a\r\nb\r\n"
    looks_like_heredoc = <<-EOT_
      <<EOT
      a
      EOT
    EOT_
    composed           = "é"
    blank              = ""
  }

  user_data = <<-EOT_
    #!/bin/bash
    cat <<EOT
    $${HOME} $$${x} %%{if} %%%{x} \n "quoted" ${var.name}
    EOT
    	tab and trailing blank 
    EOF
  EOT_
}
