#!/bin/sh
# keeps ${HOME} and %{this} as they are
echo "%count% hosts in DOMAIN" > /etc/motd
hostname web.DOMAIN
