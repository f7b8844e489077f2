import { TEST_EVENT } from '../webhook-event-type.js';

/**
 * SQL: the first deliveries `d` of webhook $1 with ids from $2 to below $3 that are sent again; with $4 only those that
 * failed. An event whose repetition is waiting is left out, and with $4 one whose repetition has succeeded.
 * An aggregate, since NOT EXISTS can become a join through the index of pending deliveries: quadratic after a burst.
 */
export const REDELIVERED = `
  d.webhook_id = $1 AND d.id >= $2 AND d.id < $3 AND d.first_id IS NULL AND d.type <> '${TEST_EVENT}'
  AND (NOT $4 OR d.status = 'failed'
       OR (d.status = 'pending' AND d.attempts > CASE WHEN d.claim IS NULL THEN 0 ELSE 1 END))
  AND NOT COALESCE((SELECT bool_or(r.status = 'pending' OR ($4 AND r.status = 'succeeded'))
                    FROM webhook_deliveries r WHERE r.first_id = d.id), false)`;
