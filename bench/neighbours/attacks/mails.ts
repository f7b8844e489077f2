import { type Attack } from '../attack.js';

/** Mails to 50 recipients each, as fast as a hook fires. */
export const mails: Attack = {
  name: 'mails to 50 recipients, 100 hooks a second',
  lanes: 10,
  everyMs: 100,
  begin: async (attacker) => {
    const to = Array.from({ length: 50 }, (_, n) => `person-${n}@example.com`);
    const hook = await attacker.hook([{ name: 'mail', kind: 'send_email', config: { to, subject: 'x', text: 'x' } }]);
    return () => attacker.post(hook, '1');
  },
};
