locals {
  is_public = var.public

  volumes_names = (local.is_public
    ? slice([for i in range(3) : tostring(i) if !contains(["1"], tostring(i))], 0, 2)
    : []
  )
}
