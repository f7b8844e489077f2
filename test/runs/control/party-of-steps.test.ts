import { expect, it } from '@jest/globals';
import { type ClaimedRun } from '../../../src/features/runs/execution/claimed-run.js';
import { executeRun, type ExecutionDependencies } from '../../../src/features/runs/execution/execute-run.js';
import { inMemory } from '../../../src/features/runs/execution/run-space.js';
import { currentWork } from '../../../src/platform/admission/work.js';
import { systemClock } from '../../../src/platform/clock.js';
import { createLogger } from '../../../src/platform/logging/logger.js';

it('a step uses the database in the turns of its account, and its run is saved in those of the worker', async () => {
  const parties: string[] = [];
  const note = () => parties.push(currentWork().party);
  const services = {
    applications: { offersType: () => true },
    mail: {
      queue: async () => {
        note();
      },
    },
  };
  const deps = {
    clock: systemClock,
    progress: {
      save: async () => {
        note();
        return 'released';
      },
    },
    queue: { stored: { isFull: async () => false } },
    space: { enter: async () => ({ ...inMemory(new Map([[null, '1']])), leave: () => undefined }) },
    services,
    logger: createLogger('silent'),
    tracing: undefined,
  } as unknown as ExecutionDependencies;
  const run = {
    uuid: '01a0b0c0-0000-7000-8000-000000000000',
    accountId: 'the account',
    triggerType: 'webhook',
    triggerUuid: null,
    hops: 0,
    behindMs: 0,
    actions: [{ name: 'mail', kind: 'send_email', config: { to: 'a@x.test', subject: 's', text: 't' } }],
    steps: [{ index: 0, attempt: 1, status: 'running', startedAt: new Date(0) }],
  } as unknown as ClaimedRun;
  await executeRun(run, deps, { signal: new AbortController().signal } as never);
  expect(parties).toEqual(['the account', 'background']);
});
