import { asCommand } from '../../platform/admission/origin.js';
import { type Command } from '../cli/shell-command.js';
import { asUsage } from './exit-status.js';
import { type OutputOptions, print } from './output.js';

/**
 * Runs a verb of `keys` or `users` on the service's database. The audit log names it, e.g. `keys create`. @throws UsageError when the verb refuses its options.
 */
export async function runVerb(name: string, read: () => Command, options: OutputOptions): Promise<void> {
  const verb = asUsage(read);
  const { withPlatform } = await import('../cli/shell-command.js');
  print(await asCommand(name, () => withPlatform(verb)), options);
}
