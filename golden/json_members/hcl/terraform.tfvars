extra = {
  zone = "nova"
  kind = "small"
}

given = {
  tag = "t"
}
