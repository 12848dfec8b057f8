# Made by hot2tf from input.yaml

locals {
  # Great circles on a sphere of 6371 km. Terraform has no sine: it is a power series here, and so is the arc
  # sine, for an eighth of the angle. Lengths are right to a tenth of a millimetre.
  sine = [
    1,
    -1 / 6,
    1 / 120,
    -1 / 5040,
    1 / 362880,
    -1 / 39916800,
    1 / 6227020800,
    -1 / 1307674368000,
    1 / 355687428096000,
    -1 / 121645100408832000,
    1 / 51090942171709440000,
    -1 / 25852016738884976640000,
    1 / 15511210043330985984000000,
    -1 / 10888869450418352160768000000,
    1 / 8841761993739701954543616000000,
  ]

  arc_sine = [
    1,
    1 / 6,
    3 / 40,
    5 / 112,
    35 / 1152,
    63 / 2816,
    231 / 13312,
    143 / 10240,
    6435 / 557056,
    12155 / 1245184,
    46189 / 5505024,
    88179 / 12058624,
  ]

  degree = 0.017453292519943295

  sites = {
    for id, c in local.candidates :
    id => {
      latitude  = c.latitude
      longitude = c.longitude
      cosine    = sum([for k, f in local.sine : f * pow((90 - c.latitude) * local.degree, 2 * k + 1)])
    } if c.latitude != null && c.longitude != null
  }

  origins = {
    customer = {
      latitude  = var.locations.customer.latitude
      longitude = var.locations.customer.longitude
      cosine = sum([
        for k, f in local.sine :
        f * pow((90 - var.locations.customer.latitude) * local.degree, 2 * k + 1)
      ])
    }
  }

  # Kilometres from each location to each candidate.
  km_from_haversine = {
    for a, p in local.origins :
    a => {
      for b, q in local.sites :
      b => min(
        1,
        pow(sum([for k, f in local.sine : f * pow((q.latitude - p.latitude) / 2 * local.degree, 2 * k + 1)]), 2) + p.cosine * q.cosine * pow(sum([for k, f in local.sine : f * pow((q.longitude - p.longitude) / 2 * local.degree, 2 * k + 1)]), 2),
      )
    }
  }

  km_from_half_1 = {
    for a, row in local.km_from_haversine :
    a => { for b, h in row : b => h / (2 * (1 + pow(1 - h, 0.5))) }
  }

  km_from_half_2 = {
    for a, row in local.km_from_half_1 :
    a => { for b, h in row : b => h / (2 * (1 + pow(1 - h, 0.5))) }
  }

  km_from_half_3 = {
    for a, row in local.km_from_half_2 :
    a => { for b, h in row : b => h / (2 * (1 + pow(1 - h, 0.5))) }
  }

  km_from = {
    for a, row in local.km_from_half_3 :
    a => {
      for b, h in row :
      b => floor(101936 * pow(h, 0.5) * sum([for k, f in local.arc_sine : f * pow(h, k)]) * 10000000 + 0.5) / 10000000
    }
  }
}

locals {
  # Candidates that the template declares; those of the inventory go first.
  declared = {
    own = {
      order          = 500000
      inventory_type = "cloud"
      location_id    = "here"
      cost           = -5
      cloud_owner    = null
      latitude       = null
      longitude      = null
    }
  }

  candidates = merge(local.declared, var.candidates)

  # The candidates of each demand, with their costs for it; `rank` is their order.
  drawn = {
    vG = {
      for id, c in local.candidates :
      id => merge(c, {
        cost = (c.inventory_type == "service"
          ? coalesce(c.cost, 1)
          : (contains(["toronto"], id) ? -8000 : coalesce(c.cost, 3))
        )
        rank = c.inventory_type == "cloud" ? c.order : c.order + 1000000
      }) if(c.inventory_type == "cloud" && contains(keys(var.candidates), id) && !contains(["dallas"], id) && try(contains(["acme"], c.cloud_owner), false)) || (c.inventory_type == "service" && contains(keys(var.candidates), id) && contains(["mux-1"], id))
    }
    "a b" = {
      for id, c in local.candidates :
      id => merge(c, {
        cost = coalesce(c.cost, 2)
        rank = c.order
      }) if c.inventory_type == "cloud" && (contains(keys(var.candidates), id) || contains(["own"], id))
    }
  }

  # Whether each candidate of a demand meets each of the constraints that are about this demand alone.
  passing = {
    vG = {
      objective = { for id, c in local.drawn.vG : id => can(local.km_from.customer[id]) }
    }
    "a b" = {}
  }

  # The candidates that all of these constraints leave, in order.
  left = {
    vG = [
      for key in sort([
        for id, c in local.drawn.vG :
        format("%09d %s", c.rank, id)
        if alltrue([for test in local.passing.vG : test[id]])
      ]) :
      substr(key, 10, -1)
    ]
    "a b" = [
      for key in sort([
        for id, c in local.drawn["a b"] :
        format("%09d %s", c.rank, id)
        if alltrue([for test in local.passing["a b"] : test[id]])
      ]) :
      substr(key, 10, -1)
    ]
  }
}

locals {
  # The amount that each candidate adds to the objective.
  scores = {
    vG = { for id in local.left.vG : id => local.km_from.customer[id] }
  }

  # Assignments of vG that meet all constraints, and the best of them.
  assignments_v_g = [
    for pick in [for id in local.left.vG : [id]] : {
      choice = {
        vG = pick[0]
      }
      value = floor(local.scores.vG[pick[0]] * 1000000000 + 0.5) / 1000000000
      cost  = floor(local.drawn.vG[pick[0]].cost * 1000000000 + 0.5) / 1000000000
    }
  ]

  value_v_g  = length(local.assignments_v_g) == 0 ? null : min(local.assignments_v_g[*].value...)
  equals_v_g = [for one in local.assignments_v_g : one if one.value == local.value_v_g]
  cost_v_g   = length(local.assignments_v_g) == 0 ? null : min(local.equals_v_g[*].cost...)
  choice_v_g = try([for one in local.equals_v_g : one.choice if one.cost == local.cost_v_g][0], null)

  # Assignments of a b that meet all constraints, and the best of them.
  assignments_a_b = [
    for pick in [for id in local.left["a b"] : [id]] : {
      choice = {
        "a b" = pick[0]
      }
      value = 0
      cost  = floor(local.drawn["a b"][pick[0]].cost * 1000000000 + 0.5) / 1000000000
    }
  ]

  value_a_b  = length(local.assignments_a_b) == 0 ? null : min(local.assignments_a_b[*].value...)
  equals_a_b = [for one in local.assignments_a_b : one if one.value == local.value_a_b]
  cost_a_b   = length(local.assignments_a_b) == 0 ? null : min(local.equals_a_b[*].cost...)
  choice_a_b = try([for one in local.equals_a_b : one.choice if one.cost == local.cost_a_b][0], null)

  # The answer.
  homed = (local.choice_v_g == null || local.choice_a_b == null
    ? null
    : merge(local.choice_v_g, local.choice_a_b)
  )

  value = try(local.value_v_g + local.value_a_b, null)
}
