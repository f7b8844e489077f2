import { type Side } from './attacker.js';

/** The attack to run, and the attacking account. */
export interface Order {
  name: string;
  side: Side;
  databaseUrl: string;
}
