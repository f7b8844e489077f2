import { type Attack } from '../attack.js';

/** 15 % of the posts that a hook may get, each as large as it may be. */
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
