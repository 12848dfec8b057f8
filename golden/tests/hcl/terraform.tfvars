# Made by hot2tf: hot2tf convert input.yaml -e prod.env.yaml --tests -o DIR

flavor = "m1.large"
