# Made by hot2tf from input.yaml

# A shelf for books.

resource "openstack_blockstorage_volume_v3" "books" {
  name = "a-books"
  size = 30
}
