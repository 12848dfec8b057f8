# Converted from input.yaml by hot2tf.

extra = {
  zone = "nova"
  kind = "small"
}

given = {
  tag = "t"
}
