import { type Running } from './guide.js';

/** The clients of the guide that wait for a connection, with the programs that they need. */
export const WAITING: readonly { programs: string[]; names: string[] }[] = [
  { programs: ['node'], names: ['graphql-ws.mjs', 'graphql-sse.mjs', 'apollo.mjs', 'urql.mjs'] },
  { programs: ['python3'], names: ['wait_by_polling.py', 'wait_by_stream.py'] },
  { programs: ['bash', 'curl', 'jq'], names: ['wait_by_polling.sh', 'wait_by_stream.sh'] },
];

/** Whether a client has written that the integration has this status. */
export const says = ({ lines }: Running, status: string) =>
  lines.some((line) => new RegExp(`\\b${status}$`, 'i').test(line));

/** What a client wrote to its standard error, without what it and curl say of its attempts. */
export function unexpected({ errors }: Running): string {
  return errors.replace(/^(?:curl|Trying again): .*\n|^Warning: .*\n?/gm, '');
}
