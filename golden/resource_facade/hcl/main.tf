# Made to be the template of a resource of another one.

# HOT506: the metadata of this resource is lost: agents read it through Heat.
# HOT503: the deletion policy is known only where this template is used, and lost.
resource "openstack_blockstorage_volume_v3" "volume" {
  name = var.name
  size = 1
}
