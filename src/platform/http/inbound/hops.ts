import { type IncomingHttpHeaders } from 'node:http';

const MAX_HOPS = 1_000;

/** The number of consecutive runs of this service that led to this request: each increments `Workflow-Hops`. */
export function hopsOf({ 'workflow-hops': text }: IncomingHttpHeaders): number {
  return typeof text === 'string' && /^\d+$/.test(text) ? Math.min(Number(text), MAX_HOPS) : 0;
}
