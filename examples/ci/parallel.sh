#!/bin/sh
# Runs so many jobs at once against one fake. Each has a sandbox of its own, named by its number.
set -eu
jobs=$1
# npm test puts the command into the path. Not npx: it does not hand on the signal that stops the fake.
cwx-fake serve --port 0 --sandboxes explicit >fake.out 2>fake.log &
fake=$!
trap 'kill $fake' EXIT
until grep -qs '^cwx-fake listening on ' fake.out; do kill -0 $fake; sleep 0.05; done
CWX_FAKE_URL=$(sed -n 's/^cwx-fake listening on \([^ ]*\) .*/\1/p' fake.out)
export CWX_FAKE_URL

running=
for job in $(seq "$jobs"); do
  JOB=$job node job.js &
  running="$running $!"
done
status=0
for job in $running; do wait "$job" || status=1; done
exit $status
