import { type Commands } from './commands.js';
import { Fault } from './fault.js';
import { Readme } from './readme.js';
import { type Stranger } from './stranger.js';

const SUITE_MINUTES = 75;
/** Lines that make a passing run fail: the packages contain all that tests need, and workers must exit. */
const FAULTS = [
  process.platform === 'linux' && process.arch === 'x64' ? /^Skipped: .*$/m : /(?!)/,
  /^.*failed to exit gracefully.*$/m,
];

/** Runs all tests with the README's command. */
export async function suite(stranger: Stranger, commands: Commands): Promise<void> {
  const command = new Readme(stranger.checkout).command(/`(npm ci && npm test)`/);
  const output = await commands.run(command, command, SUITE_MINUTES);
  for (const fault of FAULTS) {
    const line = fault.exec(output)?.[0];
    if (line !== undefined) throw new Fault(command, line);
  }
  await commands.noneLeft(command);
}
