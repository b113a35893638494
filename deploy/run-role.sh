#!/bin/sh
# Runs one of the commands of package.json without npm around it: containers and service managers signal the process
# itself, and need no place for npm's logs.
# usage: run-role.sh web | worker | executor | migrate | verify | reconcile | admin  [argument …]
set -eu
cd "$(dirname "$0")/.."
role=${1:?which role? web, worker, executor or migrate}
shift
line=$(node -p "require('./package.json').scripts[process.argv[1]] ?? ''" "$role")
if [ -z "$line" ]; then
  echo "There is no role $role: it is web, worker, executor or migrate." >&2
  exit 2
fi
# The line begins with exec, so the role takes this process's place.
eval "$line \"\$@\""
