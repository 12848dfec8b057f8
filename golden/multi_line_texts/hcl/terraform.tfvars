# Made by hot2tf: hot2tf convert input.yaml -e values.env.yaml -o DIR

motd = "Hello\nworld"

more = {
  lines = "three\nfour"
  ended = <<-EOT
    three
    four
  EOT
}
