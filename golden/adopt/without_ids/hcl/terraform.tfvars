# Made by hot2tf from the running stack bare: hot2tf adopt EXPORT -o DIR

stack_name = "bare"
