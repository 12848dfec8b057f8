# Made by hot2tf from input.yaml

# In the order of the inventory, which decides between equals (`order`).
candidates = {
  chicago = { order = 0, inventory_type = "cloud", location_id = "chicago", cost = 40, latitude = 41.88, longitude = -87.63 }
  dallas  = { order = 1, inventory_type = "cloud", location_id = "dallas", cost = 2, latitude = 32.78, longitude = -96.8 }
  toronto = { order = 2, inventory_type = "cloud", location_id = "toronto", cost = 2, latitude = 43.65, longitude = -79.38 }
  mux-1   = { order = 3, inventory_type = "service", location_id = "mux-1", cost = 1, latitude = 40.71, longitude = -74.01 }
}

fitting = {
  room = ["dallas", "toronto"]
}
