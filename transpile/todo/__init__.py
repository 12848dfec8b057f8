"""The user's tasks after a conversion: one list, from which every summary is made."""
