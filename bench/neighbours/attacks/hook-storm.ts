import { type Attack } from '../attack.js';

/** Far more requests than the limit of one hook, spread over several hooks. */
export const hookStorm: Attack = {
  name: '128 connections that post to ten hooks',
  lanes: 128,
  begin: async (attacker) => {
    const hooks: string[] = [];
    while (hooks.length < 10) hooks.push(await attacker.hook());
    const body = JSON.stringify('x'.repeat(100_000));
    return (lane) => attacker.post(hooks[lane % hooks.length]!, body);
  },
};
