# Made by hot2tf from the running stack bare

stack_name = "bare"
