#!/usr/bin/env node
import { EXIT_CONFIG, nodeFault } from './process/node-version.js';
import { becomesPackagedNode } from './process/packaged-node.js';

// Only these two files are loaded by a Node.js of any age.
if (!becomesPackagedNode()) {
  const fault = nodeFault(process.versions.node);
  if (fault === undefined) {
    const { main } = await import('./process/command/main.js');
    await main(process.argv.slice(2));
  } else {
    process.stderr.write(`${fault}\n`);
    process.exitCode = EXIT_CONFIG;
  }
}
