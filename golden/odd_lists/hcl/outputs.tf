# Made by hot2tf from input.yaml

# HOT572: Heat writes this list or map as JSON with spaces, jsonencode() without.
output "joined" {
  value = join(
    "-",
    [for item in local.texts : item == null ? "" : try(tostring(item), jsonencode(item))],
    var.names,
  )
}

output "joined_known" {
  value = join(",", try(var.settings.list, []), var.names)
}

output "joined_nothing" {
  value = join("-", try(var.settings.nowhere, []), var.names)
}

output "concatenated" {
  value = concat(var.names)
}

output "filtered" {
  value = [for v in local.mixed : v if try(!contains([7, "x"], v), true)]
}

output "has_null" {
  value = anytrue([for item in local.mixed : item == null])
}

output "has_text" {
  value = contains(local.mixed, var.text)
}

output "split_nothing" {
  value = try(split(",", local.mixed[1]), null)
}

output "renamed" {
  value = {
    for k, v in var.settings :
    lookup({ word = "term" }, k, k) => try(lookup({ abc = "z" }, v, v), v)
  }
}

output "renamed_nothing" {
  value = {}
}

output "character" {
  value = substr(try(var.settings.word, ""), 1, 1)
}

output "character_of_item" {
  value = substr(try(var.names[var.number < 0 ? length(var.names) + var.number : var.number], ""), 0, 1)
}

output "repeated_keys" {
  value = [for key in ["zebra", "ant"] : "${key}!"]
}

output "repeated_nothing" {
  value = []
}

output "repeated_early" {
  value = [for x in var.names : ["", "x", ""]]
}

output "replaced_or_not" {
  value = "size: ${local.replaced_or_not_size}"
}

output "either" {
  value = jsondecode(local.is_big ? jsonencode(try(var.settings.word, "")) : jsonencode(var.number))
}
