output "whole" {
  value = var.servers
}

output "inside" {
  value = var.names
}

# HOT583: Not for every value as in Heat: Terraform takes no member of a list, where Heat takes that of each item.
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

# HOT583: Not for every value as in Heat: Terraform takes no member of a list, where Heat takes that of each item.
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

# HOT578: To Heat 1 equals true and 0 false; to Terraform no number equals a boolean.
output "up" {
  value = [for item in [for item in var.servers : item if item.up == true] : item.name]
}

output "named" {
  value = [
    for item in [for item in var.servers : item if contains(["a", "q"], item.name)] :
    item.ip
  ]
}

# HOT583: Not for every value as in Heat: a key that is there twice fails, where in Heat the last one counts.
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

# HOT583: Not for every value as in Heat: Terraform takes no member of a list, where Heat takes that of each item.
output "flat" {
  value = flatten(var.map.y)
}

# HOT583: Not for every value as in Heat: int() of a fraction keeps it, of null is null.
output "sum" {
  value = sum([for item in var.servers : tonumber(item.size)])
}

# HOT583: Not for every value as in Heat: int() of a fraction keeps it, of null is null.
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

# HOT583: Not for every value as in Heat: what fails on the way to the list gives an empty one, where Heat fails.
output "or_none" {
  value = try([for item in var.servers : item.name], [])
}

output "list" {
  value = [1, var.n]
}
