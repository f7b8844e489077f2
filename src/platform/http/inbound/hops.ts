import { type IncomingHttpHeaders } from 'node:http';

const MAX_HOPS = 1_000;

/** How many of our own runs in a row led to this request: each counts its `Workflow-Hops` up. */
export function hopsOf({ 'workflow-hops': text }: IncomingHttpHeaders): number {
  return typeof text === 'string' && /^\d+$/.test(text) ? Math.min(Number(text), MAX_HOPS) : 0;
}
