import { EXIT_CONFIG, nodeFault } from './process/node-version.js';

// Everything else is loaded after the check: an older Node.js lacks modules that it imports.
const fault = nodeFault(process.versions.node);
if (fault === undefined) {
  const { start } = await import('./process/start.js');
  await start();
} else {
  process.stderr.write(`${fault}\n`);
  process.exitCode = EXIT_CONFIG;
}
