# Made by hot2tf from the running stack groups

locals {
  plain_physical_names = [
    "groups-plain-fyyggzcfwb5g-0-abcdefghijk0",
    "groups-plain-fyyggzcfwb5g-1-abcdefghijk1",
  ]

  nodes_names = slice([for i in range(var.count_ + 1) : tostring(i) if !contains(["1"], tostring(i))], 0, var.count_)

  nodes_physical_names = {
    "0" = "groups-nodes-rfpxqhrf4qfe-0-hjq3sbyq2k0z"
    "2" = "groups-nodes-rfpxqhrf4qfe-2-hjq3sbyq2k2z"
    "3" = "groups-nodes-rfpxqhrf4qfe-3-hjq3sbyq2k3z"
  }

  nodes_physical_ids = {
    "0" = "00000070-0000-4000-8000-000000000000"
    "2" = "00000072-0000-4000-8000-000000000000"
    "3" = "00000073-0000-4000-8000-000000000000"
  }

  nodes_physical_names_inside = {
    "0" = { port = "groups-nodes-rfpxqhrf4qfe-0-hjq3sbyq2k0z-port-p", disk = "groups-nodes-rfpxqhrf4qfe-0-hjq3sbyq2k0z-disk-d" }
    "2" = { port = "groups-nodes-rfpxqhrf4qfe-2-hjq3sbyq2k2z-port-p", disk = "groups-nodes-rfpxqhrf4qfe-2-hjq3sbyq2k2z-disk-d" }
    "3" = { port = "groups-nodes-rfpxqhrf4qfe-3-hjq3sbyq2k3z-port-p", disk = "groups-nodes-rfpxqhrf4qfe-3-hjq3sbyq2k3z-disk-d" }
  }
}
