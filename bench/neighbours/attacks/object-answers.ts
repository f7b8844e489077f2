import { type Attack } from '../attack.js';

/** 48 steps that each store 256 kB of empty objects: 270 MB a run if they were held as values. */
export const objectAnswers: Attack = {
  name: 'runs of 48 steps with 256 kB of `{}`',
  lanes: 30,
  everyMs: 10_000,
  begin: async (attacker) => {
    const config = { method: 'GET', url: await attacker.targetUrl('/objects') };
    const actions = Array.from({ length: 48 }, (_, n) => ({ name: `get ${n}`, kind: 'http_request', config }));
    const hook = await attacker.hook(actions);
    return () => attacker.post(hook, '1');
  },
};
