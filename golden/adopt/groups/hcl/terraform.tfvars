# Made by hot2tf from the running stack groups

stack_name = "groups"
