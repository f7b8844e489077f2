import { type Command } from 'commander';
import { type Restored } from '../backup/restore.js';
import { type Interruption } from './interruption.js';
import { JSON_OPTION, type OutputOptions, print, say } from './output.js';

/** `restore`: brings a backup back, into an empty data folder or database. */
export function addRestore(program: Command, interruption: Interruption): void {
  program
    .command('restore <directory>')
    .description('restore a backup into the empty DATA_DIR or the empty database of DATABASE_URL')
    .option(...JSON_OPTION)
    .action(async (folder: string, options: OutputOptions) => {
      const signal = interruption.begin();
      const { loadConfig } = await import('../../platform/config/config.js');
      const { restore } = await import('../backup/restore.js');
      const restored = await restore(loadConfig(), { folder, log: say, signal });
      print(options.json ? { rows: [rowOf(restored)] } : { name: 'restore', text: textOf(restored) }, options);
    });
}

function rowOf({ manifest, ...rest }: Restored): Record<string, unknown> {
  const { dataDir = null, keyFile = null, ...counts } = rest;
  return { time: manifest.time, data_dir: dataDir, key_file: keyFile, ...counts };
}

function textOf({ manifest, dataDir, keyFile, deliveries, mails, schedules, unreadable }: Restored): string {
  return [
    `Restored the database as of ${manifest.time} into ${dataDir ?? 'DATABASE_URL'}.`,
    keyFile === undefined ? 'Its encryption key is that of ENCRYPTION_KEY.' : `Its encryption key is in ${keyFile}.`,
    ...(unreadable > 0 ? [`Warning: the key does not open ${unreadable} sealed values of a sample.`] : []),
    `Not sent again: ${deliveries} webhook deliveries (failed; POST /v1/webhooks/{id}/redeliver sends them again) and ${mails} mails.`,
    `Ticks since then count as missed: ${schedules} schedules.`,
    'Warning: the original must not run beside this one. Both would fire schedules, execute runs and renew tokens.',
    'Warning: tokens that applications have rotated since the backup may be dead. Such connections become expired: reconnect them.',
  ].join('\n');
}
