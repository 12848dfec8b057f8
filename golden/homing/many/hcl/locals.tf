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
    for id, c in var.candidates :
    id => {
      latitude  = c.latitude
      longitude = c.longitude
      cosine    = sum([for k, f in local.sine : f * pow((90 - c.latitude) * local.degree, 2 * k + 1)])
    } if c.latitude != null && c.longitude != null
  }

  origins = {
    customer = {
      latitude  = 41.88
      longitude = -87.63
      cosine    = sum([for k, f in local.sine : f * pow((90 - 41.88) * local.degree, 2 * k + 1)])
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
  # The candidates of each demand, with their costs for it; `rank` is their order.
  drawn = {
    d1 = {
      for id, c in var.candidates :
      id => merge(c, {
        cost = coalesce(c.cost, 2)
        rank = c.order
      }) if c.inventory_type == "cloud"
    }
    d2 = {
      for id, c in var.candidates :
      id => merge(c, {
        cost = coalesce(c.cost, 2)
        rank = c.order
      }) if c.inventory_type == "cloud"
    }
    d3 = {
      for id, c in var.candidates :
      id => merge(c, {
        cost = coalesce(c.cost, 2)
        rank = c.order
      }) if c.inventory_type == "cloud"
    }
    d4 = {
      for id, c in var.candidates :
      id => merge(c, {
        cost = coalesce(c.cost, 2)
        rank = c.order
      }) if c.inventory_type == "cloud"
    }
    d5 = {
      for id, c in var.candidates :
      id => merge(c, {
        cost = coalesce(c.cost, 2)
        rank = c.order
      }) if c.inventory_type == "cloud"
    }
  }

  # Whether each candidate of a demand meets each of the constraints that are about this demand alone.
  passing = {
    d1 = {
      objective = { for id, c in local.drawn.d1 : id => can(local.km_from.customer[id]) }
    }
    d2 = {
      objective = { for id, c in local.drawn.d2 : id => can(local.km_from.customer[id]) }
    }
    d3 = {}
    d4 = {}
    d5 = {}
  }

  # The candidates that all of these constraints leave, in order.
  left = {
    d1 = [
      for key in sort([
        for id, c in local.drawn.d1 :
        format("%09d %s", c.rank, id)
        if alltrue([for test in local.passing.d1 : test[id]])
      ]) :
      substr(key, 10, -1)
    ]
    d2 = [
      for key in sort([
        for id, c in local.drawn.d2 :
        format("%09d %s", c.rank, id)
        if alltrue([for test in local.passing.d2 : test[id]])
      ]) :
      substr(key, 10, -1)
    ]
    d3 = [
      for key in sort([
        for id, c in local.drawn.d3 :
        format("%09d %s", c.rank, id)
        if alltrue([for test in local.passing.d3 : test[id]])
      ]) :
      substr(key, 10, -1)
    ]
    d4 = [
      for key in sort([
        for id, c in local.drawn.d4 :
        format("%09d %s", c.rank, id)
        if alltrue([for test in local.passing.d4 : test[id]])
      ]) :
      substr(key, 10, -1)
    ]
    d5 = [
      for key in sort([
        for id, c in local.drawn.d5 :
        format("%09d %s", c.rank, id)
        if alltrue([for test in local.passing.d5 : test[id]])
      ]) :
      substr(key, 10, -1)
    ]
  }
}

locals {
  # The amount that each candidate adds to the objective.
  scores = {
    d1 = { for id in local.left.d1 : id => 2 * local.km_from.customer[id] }
    d2 = { for id in local.left.d2 : id => local.km_from.customer[id] }
  }

  # Assignments of d1 and d2 and d3 and d4 and d5 that meet all constraints, and the best of them.
  assignments_all = [
    for pick in [[var.chosen.d1, var.chosen.d2, var.chosen.d3, var.chosen.d4, var.chosen.d5]] : {
      choice = {
        d1 = pick[0]
        d2 = pick[1]
        d3 = pick[2]
        d4 = pick[3]
        d5 = pick[4]
      }
      value = floor((local.scores.d1[pick[0]] + local.scores.d2[pick[1]]) * 1000000000 + 0.5) / 1000000000
      cost  = floor((local.drawn.d1[pick[0]].cost + local.drawn.d2[pick[1]].cost + local.drawn.d3[pick[2]].cost + local.drawn.d4[pick[3]].cost + local.drawn.d5[pick[4]].cost) * 1000000000 + 0.5) / 1000000000
    } if alltrue([contains(local.left.d1, pick[0]), contains(local.left.d2, pick[1]), contains(local.left.d3, pick[2]), contains(local.left.d4, pick[3]), contains(local.left.d5, pick[4]), local.drawn.d1[pick[0]].complex_name != local.drawn.d2[pick[1]].complex_name, local.drawn.d1[pick[0]].complex_name != local.drawn.d3[pick[2]].complex_name, local.drawn.d1[pick[0]].complex_name != local.drawn.d4[pick[3]].complex_name, local.drawn.d1[pick[0]].complex_name != local.drawn.d5[pick[4]].complex_name, local.drawn.d2[pick[1]].complex_name != local.drawn.d3[pick[2]].complex_name, local.drawn.d2[pick[1]].complex_name != local.drawn.d4[pick[3]].complex_name, local.drawn.d2[pick[1]].complex_name != local.drawn.d5[pick[4]].complex_name, local.drawn.d3[pick[2]].complex_name != local.drawn.d4[pick[3]].complex_name, local.drawn.d3[pick[2]].complex_name != local.drawn.d5[pick[4]].complex_name, local.drawn.d4[pick[3]].complex_name != local.drawn.d5[pick[4]].complex_name])
  ]

  value_all  = length(local.assignments_all) == 0 ? null : min(local.assignments_all[*].value...)
  equals_all = [for one in local.assignments_all : one if one.value == local.value_all]
  cost_all   = length(local.assignments_all) == 0 ? null : min(local.equals_all[*].cost...)
  choice_all = try([for one in local.equals_all : one.choice if one.cost == local.cost_all][0], null)
  # The answer.
  homed = local.choice_all
  value = local.value_all
}
