import { type Attack } from '../../attack.js';
import { subscribe } from '../../attacker.js';

/** The maximum of listeners of an account, all subscribed to every run. */
export const manyListeners: Attack = {
  name: '20,000 listeners of one key, and 30 hooks a second',
  lanes: 3,
  everyMs: 100,
  begin: async (attacker) => {
    const hook = await attacker.hook();
    const sockets = Math.ceil(200 * attacker.size);
    for (let n = 0; n < sockets; n += 1) {
      const socket = await attacker.socket();
      for (let id = 0; id < 100; id += 1)
        subscribe(socket, String(id), 'subscription { runStatusChanged { runId status } }');
    }
    return () => attacker.post(hook, '1');
  },
};
