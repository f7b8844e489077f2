import { type Wait } from '../wait.entity.js';
import { type WaitStatus } from '../wait-status.js';

/** A wait as it is after a change. */
export interface WaitMove {
  wait: Wait;
  from: WaitStatus | null;
}
