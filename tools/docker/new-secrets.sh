#!/bin/sh
# Writes tools/docker/.env with new secrets for compose.yml. Without the encryption key, n8n can't read
# its credentials, so an existing file stays as it is.
set -eu

file="${1:-$(dirname "$0")/.env}"
[ ! -e "$file" ] || { echo "$file already exists, so it was not changed." >&2; exit 1; }

secret() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }

umask 077
cat >"$file" <<END
# Keep a copy of N8N_ENCRYPTION_KEY in a safe place.
N8N_ENCRYPTION_KEY=$(secret)
N8N_RUNNERS_AUTH_TOKEN=$(secret)
POSTGRES_PASSWORD=$(secret)
# N8N_VERSION=2.41.1
# N8N_WEBHOOK_URL=https://n8n.example.com/
# GENERIC_TIMEZONE=America/New_York
END
echo "Wrote $file."
