import { type Command } from 'commander';

/** `start`: the service itself, as `npm start` runs it. It ends with 0 after SIGTERM or Ctrl-C. */
export function addStart(program: Command): void {
  program
    .command('start')
    .description('start the service')
    .action(async () => {
      const { start } = await import('../start.js');
      await start();
    });
}
