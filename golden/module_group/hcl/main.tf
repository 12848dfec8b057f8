# Made by hot2tf from input.yaml

# as many as asked for
module "nodes" {
  source = "./modules/node"

  count = var.size

  name   = "node-${count.index}"
  number = count.index
  tags   = ["all", "n${count.index}"]

  # the index is text, and stays in keys
  labels = {
    "key-%i%" = "value-${count.index}"
    index     = tostring(count.index)
  }

  stack_name = "${var.stack_name}-nodes-${count.index}"
}

module "others" {
  source = "./modules/node"

  for_each = toset(local.others_names)

  name       = "other-${each.key}"
  number     = 5
  stack_name = "${var.stack_name}-others-${each.key}"
}
