# Made by hot2tf from the running stack web

stack_name = "web"
key        = "mykey"
disk       = true
