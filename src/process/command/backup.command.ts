import { type Command } from 'commander';
import { type Interruption } from './interruption.js';
import { JSON_OPTION, type OutputOptions, print, say } from './output.js';

/** `backup`: one folder from which `restore` brings the database back. */
export function addBackup(program: Command, interruption: Interruption): void {
  program
    .command('backup <directory>')
    .description('copy the database and its key into a new folder, while the service runs or not')
    .option('--without-key', 'leave the encryption key out: restore needs it in ENCRYPTION_KEY')
    .option(...JSON_OPTION)
    .action(async (folder: string, options: OutputOptions & { withoutKey?: true }) => {
      const signal = interruption.begin();
      const { loadConfig } = await import('../../platform/config/config.js');
      const { backup } = await import('../backup/backup.js');
      const withKey = options.withoutKey !== true;
      const { path, manifest } = await backup(loadConfig(), { folder, withKey, log: say, signal });
      const { kind, time, files } = manifest;
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      const made = { path, kind, time, files: files.length, bytes, key: withKey };
      const text = [
        `${path} holds the database as of ${time}: ${files.length} files, ${Math.ceil(bytes / 1e6)} MB.`,
        withKey
          ? 'It also holds the encryption key: its reader can open every stored credential.'
          : 'It does not hold the encryption key: keep that in another place.',
      ].join('\n');
      print(options.json ? { rows: [made] } : { name: 'backup', text }, options);
    });
}
