#!/usr/bin/env node
// The command of the package: the built program, or what to do where npm was not allowed to build it (from git, with ignore-scripts).
const program = require('node:path').join(__dirname, '../dist/server/cli.js');
if (require('node:fs').existsSync(program)) require(program);
else {
  console.error(
    'cwx-fake is not built: npm ran no scripts when it installed this package from git. Install it with npm install --ignore-scripts=false, or from the registry or a tarball.',
  );
  require('node:process').exitCode = 2;
}
