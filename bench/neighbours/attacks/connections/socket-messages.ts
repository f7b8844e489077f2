import { type Attack } from '../../attack.js';
import { subscribe } from '../../attacker.js';

/** WebSocket messages as fast as possible. */
export const socketMessages: Attack = {
  name: 'four sockets that subscribe over and over',
  lanes: 4,
  begin: async (attacker) => {
    const query = 'subscription { runStatusChanged(workflowId: "wf_01h455vb4pex5vsknk084sn02q") { run { input } } }';
    const sockets = await Promise.all(Array.from({ length: 4 }, () => attacker.socket()));
    let id = 0;
    return (lane) =>
      new Promise((resolve) => {
        sockets[lane]!.once('message', resolve);
        subscribe(sockets[lane]!, String((id += 1)), query);
      });
  },
};
