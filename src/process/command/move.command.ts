import { type Command } from 'commander';
import { UsageError } from './exit-status.js';
import { type Interruption } from './interruption.js';
import { JSON_OPTION, type OutputOptions, print, say } from './output.js';

/** `move`: from the embedded database to a PostgreSQL server. */
export function addMove(program: Command, interruption: Interruption): void {
  program
    .command('move')
    .description('copy the embedded database to an empty database of a server, while the service is stopped')
    .requiredOption('--to <url>', 'postgres://… of the empty database')
    .option(...JSON_OPTION)
    .action(async ({ to, ...options }: OutputOptions & { to: string }) => {
      const signal = interruption.begin();
      if (!/^postgres(?:ql)?:\/\//.test(to) || !URL.canParse(to))
        throw new UsageError('--to must be a postgres:// URL');
      const { loadConfig } = await import('../../platform/config/config.js');
      const { move, withoutSecrets } = await import('../backup/move.js');
      const { tables, keyFile, dataDir } = await move(loadConfig(), { to, log: say, signal });
      if (options.json) return print({ rows: tables.map(({ name, ...sum }) => ({ table: name, ...sum })) }, options);
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      const text = [
        `Moved ${tables.length} tables with ${rows} rows to ${withoutSecrets(to)}; every table has equal checksums.`,
        keyFile === undefined
          ? 'Keep ENCRYPTION_KEY as it is, and set DATABASE_URL.'
          : `The encryption key is in ${keyFile}: set ENCRYPTION_KEY to its content, and DATABASE_URL.`,
        `The original in ${dataDir} is unchanged. Do not start it again: both would execute the same runs.`,
      ].join('\n');
      print({ name: 'move', text }, options);
    });
}
