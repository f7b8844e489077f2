// The attacking process, separate from the service and the neighbour, and of a lower CPU priority than both.
import { setPriority } from 'node:os';
import pg from 'pg';
import { answerQuestions } from '../answering.js';
import { strike } from './attack.js';
import { Attacker } from './attacker.js';
import { attacks } from './attacks/index.js';
import { type Order } from './order.js';

setPriority(19);
let attacker: Attacker | undefined;
let stroke: ((lane: number) => Promise<unknown>) | undefined;
const named = (name: string) => attacks.find((attack) => attack.name === name)!;

answerQuestions({
  begin: async ({ name, side, databaseUrl }: Order) => {
    const db = new pg.Client(databaseUrl);
    await db.connect();
    attacker = new Attacker(side, db, 1);
    stroke = await named(name).begin(attacker);
  },
  strike: ({ name, milliseconds }: { name: string; milliseconds: number }) =>
    strike(named(name), stroke!, milliseconds),
});

process.once('SIGTERM', () => process.exit(0));
