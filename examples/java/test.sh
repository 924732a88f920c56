#!/bin/sh
# Compiles the test, starts a fake on a free port, and runs the test against it. A build tool does the first two lines for you.
set -eu
jars=/usr/share/java # Debian: apt install default-jdk-headless junit5
classpath=$(ls $jars/junit-jupiter*.jar $jars/junit-platform*.jar $jars/opentest4j.jar $jars/apiguardian-api.jar $jars/picocli.jar $jars/univocity-parsers.jar | tr '\n' :)
javac -d classes -cp "$classpath" GroupsTest.java

# npm test puts the command into the path. Not npx: it does not hand on the signal that stops the fake.
cwx-fake serve --port 0 --log silent >fake.out &
fake=$!
trap 'kill $fake' EXIT
until grep -qs '^cwx-fake listening on ' fake.out; do kill -0 $fake; sleep 0.05; done
CWX_FAKE_URL=$(sed -n 's/^cwx-fake listening on \([^ ]*\) .*/\1/p' fake.out)
export CWX_FAKE_URL
java -cp "classes:$classpath" org.junit.platform.console.ConsoleLauncher --select-class GroupsTest --disable-banner
