# Made by hot2tf: hot2tf convert input.yaml -o DIR

# A shelf for books.

resource "openstack_blockstorage_volume_v3" "books" {
  name = "a-books"
  size = 30
}
