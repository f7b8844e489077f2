import { broken, faultsOf, lostChanges, seenBetween } from '../../scripts/ha/judge.js';

const hook = (started: number, status: number | string = 202, ms = 10) => ({ started, status, ms });

describe('the verdict of npm run test:ha on a fault', () => {
  const steady = Array.from({ length: 100 }, (_, index) => hook(index * 100));
  const judge = (changes: ReturnType<typeof hook>[], promised = {}, hooks = steady) =>
    broken(seenBetween(hooks, changes, 0, 10_000), 0, promised);

  it('finds nothing where every request succeeds', () => {
    expect(judge([hook(50, 200)], { refused: 0, refusing: 3 })).toEqual([]);
  });

  it('finds a request that hangs for longer than the limit of a statement and two seconds', () => {
    expect(judge([], {}, [...steady, hook(50, 503, 7_100)])).toEqual(['a request took 7.1 s']);
    expect(judge([hook(50, 200, 7_100)])).toEqual(['a request took 7.1 s']);
    expect(judge([hook(50, 200, 7_000)])).toEqual([]);
  });

  it('finds a change of a connection that was refused where nothing may be, or failed otherwise', () => {
    expect(judge([hook(50, 503)])).toEqual([]);
    expect(judge([hook(50, 503)], { refused: 0 })).toEqual(['1 refused']);
    expect(judge([hook(50, 'ECONNRESET')])).toEqual(['failed: ECONNRESET × 1']);
    expect(judge([hook(50, 409)])).toEqual(['failed: 409 × 1']);
  });

  it('finds a time without a 202 beyond the own time of the failover, and one in which all are refused', () => {
    const refused = Array.from({ length: 40 }, (_, index) => hook(index * 100, 503));
    const seen = seenBetween([...refused, hook(4_000)], [], 0, 10_000);
    expect(seen).toMatchObject({ gap: 4, refusing: 3.9, refused: 40 });
    expect(broken(seen, 1.5, {})).toEqual([]);
    expect(broken(seen, 0.5, { refusing: 3 })).toEqual([
      'no 202 for 4 s, PostgreSQL itself 0.5 s',
      'refused for 3.9 s',
    ]);
  });

  it('leaves out what began at another time', () => {
    const seen = seenBetween([hook(100), hook(20_000, 500)], [hook(20_000, 503, 9_000)], 0, 10_000);
    expect(seen).toMatchObject({ refused: 0, others: '0', slowest: 0 });
  });
});

describe('the verdict of npm run test:ha over the whole run', () => {
  const clean = {
    'acknowledged hooks lost': 0,
    'hooks with two runs': 0,
    'acknowledged changes lost': 0,
    'ticks doubled': 0,
    'changes missed': 0,
    'changes doubled': 0,
    'changes out of order': 0,
    'processes that died': 0,
  };

  it('counts an acknowledged change that the log of changes has not, or with another status', () => {
    const change = { integration: 'int_1', version: 2, status: 'disconnected' };
    expect(lostChanges([change], [change])).toBe(0);
    expect(lostChanges([change], [{ ...change, integration: 'int_2' }])).toBe(1);
    expect(lostChanges([change], [{ ...change, status: 'connected' }])).toBe(1);
    expect(lostChanges([change, { ...change, version: 3 }], [change])).toBe(1);
  });

  it('is faulty by each line that promises none, also by one that nobody counted', () => {
    expect(faultsOf({ ...clean, ticks: 100 })).toEqual([]);
    for (const name of Object.keys(clean)) expect(faultsOf({ ...clean, [name]: 1 })).toEqual([name]);
    expect(faultsOf({})).toEqual(Object.keys(clean));
  });
});
