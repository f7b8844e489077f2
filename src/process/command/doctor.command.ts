import { type Command } from 'commander';
import { type Finding } from '../doctor/finding.js';
import { EXIT } from './exit-status.js';
import { type Interruption } from './interruption.js';
import { JSON_OPTION, type OutputOptions, print } from './output.js';

/** `doctor`: one line for each check, with what to do. */
export function addDoctor(program: Command, interruption: Interruption): void {
  program
    .command('doctor')
    .description('examine configuration, database, keys, mail and queues; exit status 1 when a check has failed')
    .option(...JSON_OPTION)
    .action(async (options: OutputOptions) => {
      const signal = interruption.begin();
      const { doctor } = await import('../doctor/doctor.js');
      const report = (finding: Finding): void => {
        if (finding.status === 'failed') process.exitCode = EXIT.failed;
        print(options.json ? { rows: [{ ...finding }] } : { name: 'finding', text: textOf(finding) }, options);
      };
      await doctor(report, signal);
    });
}

function textOf({ check, status, message, remedy }: Finding): string {
  return `${status.padEnd(8)} ${check}: ${message.replace(/\.$/, '')}.${remedy === null ? '' : ` ${remedy}`}`;
}
