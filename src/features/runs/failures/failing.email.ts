import { toPublicId } from '../../../platform/ids/ids.js';
import { type Block, type Composed, composeMail } from '../../../platform/mail/compose-mail.js';

/** A workflow that began to fail. */
export interface FailingNotice {
  workflowName: string;
  failures: number;
  runUuid: string;
}

/** Workflows that one mail names. */
const NAMED = 50;
/** The most characters of a name in a mail. */
const NAME = 80;

/** The mail about workflows that began to fail since the mail before. */
export function failingMail(baseUrl: string, notices: readonly FailingNotice[]): Composed {
  const [first] = notices;
  const subject =
    notices.length === 1
      ? `Workflow ${quoted(first!.workflowName)} is failing`
      : `${notices.length} workflows are failing`;
  return composeMail(subject, [
    ...notices
      .slice(0, NAMED)
      .flatMap(({ workflowName, failures, runUuid }): Block[] => [
        `The last ${failures === 1 ? 'run' : `${failures} runs`} of the workflow ${quoted(workflowName)} failed. The last one:`,
        { link: `${baseUrl}/runs/${toPublicId('run', runUuid)}` },
      ]),
    ...(notices.length > NAMED ? [`And ${notices.length - NAMED} more.`] : []),
    'You receive no further email about a workflow until one of its runs succeeds. Its settings say after how many failures in a row you are notified.',
  ]);
}

function quoted(name: string): string {
  return `“${name.length > NAME ? `${name.slice(0, NAME).toWellFormed()}…` : name}”`;
}
