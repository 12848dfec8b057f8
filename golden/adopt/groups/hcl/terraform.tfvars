# Made by hot2tf from the running stack groups: hot2tf adopt EXPORT -o DIR

stack_name = "groups"
