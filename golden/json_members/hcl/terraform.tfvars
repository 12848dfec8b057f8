# Made by hot2tf from input.yaml

extra = { zone = "nova", kind = "small" }
given = { tag = "t" }
