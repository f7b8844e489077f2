import { describe, expect, it } from '@jest/globals';
import { RunService } from '../../src/features/runs/run.service.js';
import { systemClock } from '../../src/platform/clock.js';
import { RequestContext } from '../../src/platform/context.js';
import { type Database } from '../../src/platform/db/database.js';

const context = new RequestContext('req', { kind: 'key', accountId: 'a', id: 'k', access: 'read' } as never);

/** Asks for the steps of so many runs. @returns how the statements were sent. */
async function costsOf(runs: number, output: 'none' | 'listed', index?: number): Promise<string[]> {
  const costs: string[] = [];
  const on = (cost: string) => async () => {
    costs.push(cost);
    return [];
  };
  const db = { select: on('cheap'), expensive: { select: on('expensive') } } as unknown as Database;
  const asked = Array.from({ length: runs }, (_, run) => ({ run: `run ${run}`, index, output }));
  await new RunService(db, systemClock).stepsOf(context, asked);
  return costs;
}

describe('the steps of many runs', () => {
  it('are an expensive statement with the outputs of more than 50', async () => {
    expect(await costsOf(50, 'listed')).toEqual(['cheap']);
    expect(await costsOf(51, 'listed')).toEqual(['expensive']);
    expect(await costsOf(51, 'listed', 0)).toEqual(['expensive']);
    expect(await costsOf(51, 'none')).toEqual(['cheap']);
  });
});
