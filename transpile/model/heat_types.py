"""The names of Heat's types that the code asks about.

Invariant: a name stands for the resolved type (`ir.Resource.kind`), never for the word in a template, which an
environment may map to another type.
"""

RESOURCE_GROUP = "OS::Heat::ResourceGroup"
RESOURCE_CHAIN = "OS::Heat::ResourceChain"
AUTO_SCALING_GROUP = "OS::Heat::AutoScalingGroup"
INSTANCE_GROUP = "OS::Heat::InstanceGroup"
AWS_AUTO_SCALING_GROUP = "AWS::AutoScaling::AutoScalingGroup"
VALUE = "OS::Heat::Value"
STACK = "OS::Heat::Stack"
AWS_STACK = "AWS::CloudFormation::Stack"
