import { type Attack } from '../attack.js';

/** 15 % of a hook's rate limit, each request of the maximum size. */
export const largeHooks: Attack = {
  name: '15 hooks of 1 MB a second',
  lanes: 15,
  everyMs: 1_000,
  begin: async (attacker) => {
    const hook = await attacker.hook();
    const body = JSON.stringify('x'.repeat(1_000_000));
    return () => attacker.post(hook, body);
  },
};
