import { type Delay } from '../readings.js';
import { type Samples } from './neighbour.js';

/** The outcome of one attack. */
export interface Outcome {
  quiet: Samples;
  attacked: Samples;
  errors: readonly string[];
  /** The peak resident memory of the service, in bytes. */
  peak: number;
  /** The delay of its event loop; undefined when the service no longer responds. */
  delay: Delay | undefined;
  hasEnded: boolean;
}
