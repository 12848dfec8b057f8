# Made by hot2tf: hot2tf convert input.yaml -e env.yaml -o DIR

extra = {
  zone = "nova"
  kind = "small"
}

given = {
  tag = "t"
}
