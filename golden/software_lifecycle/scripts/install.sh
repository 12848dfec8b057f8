#!/bin/sh
echo install "$release"
