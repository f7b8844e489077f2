import { type Delay } from '../meter.js';
import { type Samples } from './neighbour.js';

/** What came of one attack. */
export interface Outcome {
  quiet: Samples;
  attacked: Samples;
  errors: readonly string[];
  /** The most resident memory of the service, in bytes. */
  peak: number;
  /** Of its event loop; undefined where it was not heard of any more. */
  delay: Delay | undefined;
  hasEnded: boolean;
}
