# Made by hot2tf: hot2tf convert input.yaml --prefer native --keep 'OS::Neutron::Metering*' -o DIR

# HOT589: restart exists only in Heat and is left out; this is null.
output "workflow" {
  value = null
}
