# Made by hot2tf from the running stack printed: hot2tf adopt EXPORT -o DIR

size = 2
