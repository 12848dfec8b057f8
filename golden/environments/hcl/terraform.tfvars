# Made by hot2tf: hot2tf convert input.yaml -e base.env.yaml -e prod.env.yaml -o DIR

# What all stages have in common.

# enough for tests
flavor  = "m1.medium"
network = "prod-net"
count_  = 3
servers = ["a", "b"]
