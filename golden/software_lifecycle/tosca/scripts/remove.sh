#!/bin/sh
echo remove "$release"
