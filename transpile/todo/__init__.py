"""What a person has to do after a conversion: one list, of which every summary is made."""
