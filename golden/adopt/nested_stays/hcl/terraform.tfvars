# Made by hot2tf from the running stack outer

stack_name = "outer"
