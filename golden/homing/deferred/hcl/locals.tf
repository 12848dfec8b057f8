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
    gateway = {
      for id, c in var.candidates :
      id => merge(c, {
        cost = coalesce(c.cost, 2)
        rank = c.order
      }) if c.inventory_type == "cloud"
    }
    cache = {
      for id, c in var.candidates :
      id => merge(c, {
        cost = c.inventory_type == "service" ? coalesce(c.cost, 1) : coalesce(c.cost, 2)
        rank = c.inventory_type == "cloud" ? c.order : c.order + 1000000
      }) if c.inventory_type == "cloud" || c.inventory_type == "service"
    }
  }

  # Whether each candidate of a demand meets each of the constraints that are about this demand alone.
  passing = {
    gateway = {
      software = {
        for id, c in local.drawn.gateway :
        id => try(
          contains(var.fitting.software_gateway, id),
          contains(var.fitting.software, id),
          var.assume_fit,
        )
      }
      pipe = {
        for id, c in local.drawn.gateway :
        id => try(contains(var.fitting.pipe_gateway, id), contains(var.fitting.pipe, id), var.assume_fit)
      }
      line = {
        for id, c in local.drawn.gateway :
        id => try(contains(var.fitting.line_gateway, id), contains(var.fitting.line, id), var.assume_fit)
      }
      fits = {
        for id, c in local.drawn.gateway :
        id => try(contains(var.fitting.fits_gateway, id), contains(var.fitting.fits, id), var.assume_fit)
      }
      objective = { for id, c in local.drawn.gateway : id => can(local.km_from.customer[id]) }
    }
    cache = {
      pipe = {
        for id, c in local.drawn.cache :
        id => try(contains(var.fitting.pipe_cache, id), contains(var.fitting.pipe, id), var.assume_fit)
      }
      objective = { for id, c in local.drawn.cache : id => can(local.km_from.customer[id]) }
    }
  }

  # The candidates that all of these constraints leave, in order.
  left = {
    gateway = [
      for key in sort([
        for id, c in local.drawn.gateway :
        format("%09d %s", c.rank, id)
        if alltrue([for test in local.passing.gateway : test[id]])
      ]) :
      substr(key, 10, -1)
    ]
    cache = [
      for key in sort([
        for id, c in local.drawn.cache :
        format("%09d %s", c.rank, id)
        if alltrue([for test in local.passing.cache : test[id]])
      ]) :
      substr(key, 10, -1)
    ]
  }
}

locals {
  # The amount that each candidate adds to the objective.
  scores = {
    gateway = { for id in local.left.gateway : id => 2 * local.km_from.customer[id] }
    cache   = { for id in local.left.cache : id => local.km_from.customer[id] }
  }

  # Assignments of gateway that meet all constraints, and the best of them.
  assignments_gateway = [
    for pick in [for id in local.left.gateway : [id]] : {
      choice = {
        gateway = pick[0]
      }
      value = floor(local.scores.gateway[pick[0]] * 1000000000 + 0.5) / 1000000000
      cost  = floor(local.drawn.gateway[pick[0]].cost * 1000000000 + 0.5) / 1000000000
    }
  ]

  value_gateway = (length(local.assignments_gateway) == 0
    ? null
    : min(local.assignments_gateway[*].value...)
  )

  equals_gateway = [for one in local.assignments_gateway : one if one.value == local.value_gateway]

  cost_gateway = (length(local.assignments_gateway) == 0
    ? null
    : min(local.equals_gateway[*].cost...)
  )

  choice_gateway = try([for one in local.equals_gateway : one.choice if one.cost == local.cost_gateway][0], null)

  # Assignments of cache that meet all constraints, and the best of them.
  assignments_cache = [
    for pick in [for id in local.left.cache : [id]] : {
      choice = {
        cache = pick[0]
      }
      value = floor(local.scores.cache[pick[0]] * 1000000000 + 0.5) / 1000000000
      cost  = floor(local.drawn.cache[pick[0]].cost * 1000000000 + 0.5) / 1000000000
    }
  ]

  value_cache = (length(local.assignments_cache) == 0
    ? null
    : min(local.assignments_cache[*].value...)
  )

  equals_cache = [for one in local.assignments_cache : one if one.value == local.value_cache]
  cost_cache   = length(local.assignments_cache) == 0 ? null : min(local.equals_cache[*].cost...)
  choice_cache = try([for one in local.equals_cache : one.choice if one.cost == local.cost_cache][0], null)

  # The answer.
  homed = (local.choice_gateway == null || local.choice_cache == null
    ? null
    : merge(local.choice_gateway, local.choice_cache)
  )

  value = try(local.value_gateway + local.value_cache, null)
}
