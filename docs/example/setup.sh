#!/bin/sh
echo "nameserver $NAMESERVER" > /etc/resolv.conf
apt-get install --yes nginx
