# Made by hot2tf from input.yaml

flavor = "m1.large"
