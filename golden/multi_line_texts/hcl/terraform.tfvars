# Converted from input.yaml by hot2tf.

motd = "Hello\nworld"

more = {
  lines = "three\nfour"
  ended = <<-EOT
    three
    four
  EOT
}
