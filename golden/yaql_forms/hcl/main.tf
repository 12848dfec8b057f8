# Each form of YAQL that has a counterpart in HCL.
