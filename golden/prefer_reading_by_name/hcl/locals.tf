# Converted from input.yaml by hot2tf.

locals {
  password = join("", [
    for word in sort([
      for place, character in split("", join("", values(random_password.password_parts)[*].result)) :
      "${sha256("${random_password.password_order.result}${place}")}${character}"
    ]) :
    substr(word, 64, 1)
  ])
}
