import { type Attack } from '../../attack.js';

/** Requests of almost 1 MB to an unknown hook whose last byte never arrives. */
export const unfinishedBodies: Attack = {
  name: '1,000 bodies that do not end, without a key',
  lanes: 1_000,
  begin: async (attacker) => {
    const bytes = Buffer.alloc(900_000, 'x');
    return (lane) =>
      new Promise((resolve) => {
        const socket = attacker.connection();
        const token = String(lane).padStart(43, 'B');
        socket.once('close', resolve);
        socket.once('data', () => socket.destroy());
        socket.write(`POST /hooks/${token} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n`);
        socket.write(bytes);
      });
  },
};
