module "inner" {
  source   = "../app"
  wait_for = [var.wait_for]
}
