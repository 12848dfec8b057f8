# Made by hot2tf from input.yaml

motd = "Hello\nworld"

more = {
  lines = "three\nfour"
  ended = <<-EOT
    three
    four
  EOT
}
