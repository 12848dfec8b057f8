# Made by hot2tf from input.yaml

# Made to be the template of a resource of another one.

# HOT506: the metadata of this resource is dropped: agents read it through Heat.
# HOT503: the deletion policy is known only where this template is used, so it is dropped.
resource "openstack_blockstorage_volume_v3" "volume" {
  name = var.name
  size = 1
}
