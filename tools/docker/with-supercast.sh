#!/bin/sh
# Installs the image's package in the folder where n8n looks for community nodes. Then it runs the
# command in its arguments. The folder is in the volume, which may hold an older version.
set -eu

tarball="${SUPERCAST_PACKAGE:-/opt/n8n-nodes-supercast.tgz}"
nodes="${N8N_USER_FOLDER:-$HOME}/.n8n/nodes"

mkdir -p "$nodes"
# Works offline, because the package has no dependencies, and n8n provides its peer dependency.
npm install --prefix "$nodes" --legacy-peer-deps --offline --no-audit --no-fund --loglevel=error "$tarball"

exec "$@"
