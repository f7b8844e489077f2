import { ConfigError } from '../platform/config/config.js';
import { OutdatedServiceError } from '../platform/db/migrating/schema-minimum.js';
import { EXIT_CONFIG } from './node-version.js';

/** Whether an error is one of settings or of the version, which a restart cannot mend: status 78. */
export function isConfiguration(error: unknown): boolean {
  return error instanceof ConfigError || error instanceof OutdatedServiceError;
}

/** Ends a process that cannot start, with a plain line for the operator. */
export function failStart(error: unknown): never {
  if (error instanceof ConfigError) {
    process.stderr.write(`The configuration has ${error.faults.length} error(s), nothing was started:\n`);
    for (const fault of error.faults) process.stderr.write(`  ${fault}\n`);
  } else process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(isConfiguration(error) ? EXIT_CONFIG : 1);
}
