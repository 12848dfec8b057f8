# Made by hot2tf from input.yaml

output "secret" {
  value = openstack_keymanager_secret_v1.secret.secret_ref
}

output "payload" {
  value     = openstack_keymanager_secret_v1.secret.payload
  sensitive = true
}

output "status" {
  value = [
    openstack_keymanager_secret_v1.secret.status,
    openstack_keymanager_order_v1.pair.status,
    openstack_keymanager_container_v1.container.status,
  ]
}

output "pair" {
  value = [
    openstack_keymanager_order_v1.pair.container_ref,
    openstack_keymanager_order_v1.pair.order_ref,
  ]
}

output "refs" {
  value = {
    for secret in openstack_keymanager_container_v1.container.secret_refs :
    secret.name => secret.secret_ref
  }
}

output "one_ref" {
  value = try(
    { for secret in openstack_keymanager_container_v1.rsa.secret_refs : secret.name => secret.secret_ref }.private_key,
    null,
  )
}

output "container" {
  value = openstack_keymanager_container_v1.container.container_ref
}

output "consumers" {
  value = [
    for consumer in openstack_keymanager_container_v1.certificate.consumers : {
      name = consumer.name
      URL  = consumer.url
    }
  ]
}
