import { type Attack } from '../../attack.js';

/** Requests to an unknown hook, in chunks of one byte. */
export const tinyChunks: Attack = {
  name: 'chunks of one byte, without a key',
  lanes: 14,
  begin: async (attacker) => {
    const chunks = Buffer.from('1\r\nx\r\n'.repeat(10_000));
    return () =>
      new Promise((resolve) => {
        const socket = attacker.connection();
        const token = 'A'.repeat(43);
        const head = `POST /hooks/${token} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`;
        const write = (): void => {
          if (!socket.destroyed) socket.write(chunks, write);
        };
        socket.once('close', resolve);
        socket.once('data', () => socket.destroy());
        socket.write(head, write);
      });
  },
};
