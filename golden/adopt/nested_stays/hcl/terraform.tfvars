# Made by hot2tf from the running stack outer: hot2tf adopt EXPORT -o DIR

stack_name = "outer"
