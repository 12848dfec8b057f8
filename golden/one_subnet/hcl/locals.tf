locals {
  hello = "hello"
}
