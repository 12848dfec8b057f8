# Made by hot2tf from input.yaml

output "whole" {
  value = var.servers
}

output "inside" {
  value = var.names
}

# HOT583: The result differs from Heat's for some values: a member of a list fails, where Heat collects it from each item.
output "item" {
  value = var.servers[0].name
}

output "last" {
  value = var.names[length(var.names) - 1]
}

output "last_too" {
  value = var.names[length(var.names) - 1]
}

output "first" {
  value = var.names[0]
}

output "counted" {
  value = var.names[var.number < 0 ? length(var.names) + var.number : var.number]
}

output "key" {
  value = var.map.z
}

# HOT583: The result differs from Heat's for some values: a member of a list fails, where Heat collects it from each item.
output "member" {
  value = var.map.z
}

output "len" {
  value = length(var.names)
}

output "any" {
  value = length(var.names) > 0
}

output "lists" {
  value = [for item in var.servers : [item.name, item.ip]]
}

output "dicts" {
  value = [for item in var.servers : { n = item.name, i = item.ip }]
}

output "nested" {
  value = [for item in var.servers : [for item2 in item.tags : item2.k]]
}

output "not_a" {
  value = [for item in var.names : item if item != "a"]
}

# HOT578: In Heat, 1 equals true and 0 equals false; in Terraform, a number never equals a boolean.
output "up" {
  value = [for item in [for item in var.servers : item if item.up == true] : item.name]
}

output "named" {
  value = [
    for item in [for item in var.servers : item if contains(["a", "q"], item.name)] :
    item.ip
  ]
}

# HOT583: The result differs from Heat's for some values: a duplicate key fails, where Heat takes the last one.
output "by_name" {
  value = { for item in var.servers : item.name => item.ip }
}

output "among" {
  value = contains(var.names, "a")
}

output "contains" {
  value = contains(var.names, "q")
}

output "has_key" {
  value = can(var.map["z"])
}

output "joined" {
  value = join(",", var.names)
}

output "sorted" {
  value = sort(var.names)
}

output "distinct" {
  value = distinct(var.names)
}

# HOT583: The result differs from Heat's for some values: a member of a list fails, where Heat collects it from each item.
output "flat" {
  value = flatten(var.map.y)
}

# HOT583: The result differs from Heat's for some values: int() keeps fractions, and int(null) is null.
output "sum" {
  value = sum([for item in var.servers : tonumber(item.size)])
}

# HOT583: The result differs from Heat's for some values: int() keeps fractions, and int(null) is null.
output "greatest" {
  value = max([for item in var.servers : tonumber(item.size)]...)
}

output "least" {
  value = min(var.n, 3)
}

output "int" {
  value = tonumber(var.s)
}

output "text" {
  value = tostring(var.flag)
}

output "sums" {
  value = var.n * 2 - 1
}

output "equal" {
  value = var.s == "7"
}

output "one_is_true" {
  value = var.flag
}

output "both" {
  value = var.n > 3 && !(var.n == 9)
}

output "either" {
  value = var.flag || false
}

# HOT583: The result differs from Heat's for some values: an error gives an empty list, where Heat fails.
output "or_none" {
  value = try([for item in var.servers : item.name], [])
}

output "list" {
  value = [1, var.n]
}
