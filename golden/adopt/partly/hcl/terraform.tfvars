# Made by hot2tf from the running stack partly

stack_name = "partly"
flavor     = "m1.tiny"
