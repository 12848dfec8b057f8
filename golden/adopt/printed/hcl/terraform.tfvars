# Made by hot2tf from the running stack printed

size = 2
