import { type Attack } from '../../attack.js';
import { subscribe } from '../../attacker.js';

/** 20 sockets of 100 subscriptions that are never read, and events of 1 MB. */
export const unreadEvents: Attack = {
  name: '2,000 unread subscriptions to inputs of 1 MB',
  lanes: 1,
  everyMs: 1_000,
  begin: async (attacker) => {
    const hook = await attacker.hook();
    for (let n = 0; n < 20; n += 1) {
      const socket = await attacker.socket();
      for (let id = 0; id < 100; id += 1)
        subscribe(socket, String(id), 'subscription { runStatusChanged { run { input } } }');
      socket.pause();
    }
    const body = JSON.stringify('x'.repeat(1_000_000));
    return () => attacker.post(hook, body);
  },
};
