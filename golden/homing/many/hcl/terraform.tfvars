# Made by hot2tf from input.yaml

# In the order of the inventory, which decides between equals (`order`).
candidates = {
  chicago = {
    order          = 0
    inventory_type = "cloud"
    location_id    = "chicago"
    cost           = 40
    complex_name   = "cx-chi"
    latitude       = 41.88
    longitude      = -87.63
  }
  dallas = {
    order          = 1
    inventory_type = "cloud"
    location_id    = "dallas"
    cost           = 2
    complex_name   = "cx-dal"
    latitude       = 32.78
    longitude      = -96.8
  }
  toronto = {
    order          = 2
    inventory_type = "cloud"
    location_id    = "toronto"
    cost           = 2
    complex_name   = "cx-tor"
    latitude       = 43.65
    longitude      = -79.38
  }
  mux-1 = {
    order          = 3
    inventory_type = "service"
    location_id    = "mux-1"
    cost           = 1
    complex_name   = "cx-nyc"
    latitude       = 40.71
    longitude      = -74.01
  }
  site-1 = {
    order          = 4
    inventory_type = "cloud"
    location_id    = "site-1"
    complex_name   = "cx-1"
    latitude       = 31
    longitude      = -97
  }
  site-2 = {
    order          = 5
    inventory_type = "cloud"
    location_id    = "site-2"
    complex_name   = "cx-2"
    latitude       = 32
    longitude      = -94
  }
  site-3 = {
    order          = 6
    inventory_type = "cloud"
    location_id    = "site-3"
    complex_name   = "cx-3"
    latitude       = 33
    longitude      = -91
  }
  site-4 = {
    order          = 7
    inventory_type = "cloud"
    location_id    = "site-4"
    complex_name   = "cx-4"
    latitude       = 34
    longitude      = -88
  }
  site-5 = {
    order          = 8
    inventory_type = "cloud"
    location_id    = "site-5"
    complex_name   = "cx-5"
    latitude       = 35
    longitude      = -85
  }
  site-6 = {
    order          = 9
    inventory_type = "cloud"
    location_id    = "site-6"
    complex_name   = "cx-6"
    latitude       = 36
    longitude      = -82
  }
}
