# Made by hot2tf from the running stack web: hot2tf adopt EXPORT -o DIR

stack_name = "web"
key        = "mykey"
disk       = true
