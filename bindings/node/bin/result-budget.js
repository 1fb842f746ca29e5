#!/usr/bin/env node
// The command, inside of this process: the same program as in every ecosystem.
const { runCommand } = require('../dist/addon.js');

try {
  process.exitCode = runCommand(process.argv.slice(2));
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 2;
}
