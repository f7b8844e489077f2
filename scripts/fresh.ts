// `npm run test:fresh`: tests the promises of the README on a fresh machine. Clones the last commit into a folder whose
// name has a space and an umlaut, and follows the README there with an almost empty environment, as a user other than
// root: `npm ci && npm start`, the first journey over HTTP, Ctrl-C; then `npm ci && npm test`. `--short` skips the
// tests. A failure prints one line.
import { Commands } from './fresh/commands.js';
import { Fault } from './fresh/fault.js';
import { firstJourney } from './fresh/first-journey.js';
import { Stranger } from './fresh/stranger.js';
import { suite } from './fresh/suite.js';

const began = Date.now();
let stranger: Stranger | undefined;
let commands: Commands | undefined;

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    leave();
    process.exit(1);
  });
}

try {
  stranger = await Stranger.arrive();
  commands = new Commands(stranger, (text) => process.stdout.write(text));
  await firstJourney(stranger, commands);
  if (!process.argv.includes('--short')) await suite(stranger, commands);
  const seconds = Math.round((Date.now() - began) / 1000);
  console.log(`test:fresh: passed as ${stranger.name} in “${stranger.checkout}”, ${seconds} s`);
} catch (error) {
  if (!(error instanceof Fault)) throw error;
  console.error(`test:fresh: ${error.message}`);
  process.exitCode = 1;
} finally {
  leave();
}

function leave(): void {
  commands?.endAll();
  stranger?.leave();
}
