# Made by hot2tf from input.yaml

# What all stages have in common.

# enough for tests
flavor  = "m1.medium"
network = "prod-net"
count_  = 3
servers = ["a", "b"]
