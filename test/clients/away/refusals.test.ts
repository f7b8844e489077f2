import { afterEach, expect, it } from '@jest/globals';
import { describeWith } from '../guide.js';
import { StandIn } from './stand-in.js';

const message = 'per_page: must be at most 100';
const REST = JSON.stringify({ code: 'validation_error', message });
const GRAPHQL = JSON.stringify({ errors: [{ message, extensions: { code: 'VALIDATION_ERROR' } }] });

let service: StandIn;
afterEach(() => service.close());

const BLOCKS = [
  ...['read_all', 'wait_by_polling', 'wait_by_stream', 'create_once', 'fire_hook'].flatMap((name) => [
    { name: `${name}.py`, programs: ['python3'] },
    { name: `${name}.sh`, programs: ['bash', 'curl', 'jq', 'openssl'] },
  ]),
  ...['read_all.mjs', 'graphql-sse.mjs', 'apollo.mjs', 'urql.mjs'].map((name) => ({ name, programs: ['node'] })),
];

for (const { name, programs } of BLOCKS) {
  describeWith(programs, name, () => {
    it('ends with what the service says of a refused request', async () => {
      service = await StandIn.open(({ url }, response) => {
        const isGraphql = url!.startsWith('/graphql');
        response.writeHead(400, {
          'content-type': isGraphql ? 'application/graphql-response+json' : 'application/json',
        });
        response.end(isGraphql ? GRAPHQL : REST);
      });
      const run = service.copy.start(name, service.env);
      expect([await run.exit, run.lines]).toEqual([1, []]);
      expect(run.errors).toContain(message);
    });

    it('ends in the same way when the body is no JSON', async () => {
      service = await StandIn.open((_, response) => response.writeHead(400).end('<h1>No</h1>'));
      const run = service.copy.start(name, service.env);
      expect([await run.exit, run.lines]).toEqual([1, []]);
      expect(run.errors).not.toBe('');
    });
  });
}
