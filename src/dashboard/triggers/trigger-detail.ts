import { type TriggerQuery } from './triggers.generated.js';

/** One trigger, as its page shows it. */
export type TriggerDetail = TriggerQuery['trigger'];
