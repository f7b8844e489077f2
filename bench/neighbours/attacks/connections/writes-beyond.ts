import { randomUUID } from 'node:crypto';
import { type Attack } from '../../attack.js';

/** Writes with an `Idempotency-Key`, which costs three more statements each. */
export const writesBeyond: Attack = {
  name: 'writes beyond the limit, 64 at once',
  lanes: 64,
  begin: async (attacker) => () =>
    attacker.send('POST', '/v1/workflows', { body: { name: 'x' }, headers: { 'idempotency-key': randomUUID() } }),
};
