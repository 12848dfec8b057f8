# Made by hot2tf from the running stack partly: hot2tf adopt EXPORT -o DIR

stack_name = "partly"
flavor     = "m1.tiny"
