# Made by hot2tf from member.yaml

# HOT454: show of member is null: after Heat 20.0.1, Heat does nothing for OS::Neutron::LBaaS::PoolMember.
output "member" {
  value = null
}
