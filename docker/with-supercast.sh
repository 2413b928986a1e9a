#!/bin/sh
# Installs the package of the image where n8n looks for community nodes, and goes on with the command
# that follows. That folder is in the volume, which may hold an older version.
set -eu

tarball="${SUPERCAST_PACKAGE:-/opt/n8n-nodes-supercast.tgz}"
nodes="${N8N_USER_FOLDER:-$HOME}/.n8n/nodes"

mkdir -p "$nodes"
# Offline, since the package has no dependencies, and n8n brings the one that it shares with it.
npm install --prefix "$nodes" --legacy-peer-deps --offline --no-audit --no-fund --loglevel=error "$tarball"

exec "$@"
