#!/bin/sh
echo change "$release"
