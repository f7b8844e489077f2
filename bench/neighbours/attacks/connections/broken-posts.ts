import { type Attack } from '../../attack.js';

/** Clients that disconnect in the middle of a request. */
export const brokenPosts: Attack = {
  name: 'posts that break off, 50 at once',
  lanes: 50,
  begin: async (attacker) => () =>
    new Promise((resolve) => {
      const socket = attacker.connection();
      socket.once('close', resolve);
      const head = `POST /hooks/${'C'.repeat(43)} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n`;
      socket.write(`${head}half`, () => setTimeout(() => socket.resetAndDestroy(), 5));
    }),
};
