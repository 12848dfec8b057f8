motd = "Hello\nworld"

more = {
  lines = "three\nfour"
  ended = <<-EOT
    three
    four
  EOT
}
