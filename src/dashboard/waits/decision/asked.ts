import { type ApprovalDecision } from '../../graphql/enums.generated.js';
import { type WaitInDetailFragment } from '../waits.generated.js';

/** The approval and the decision that a user has begun. */
export interface Asked {
  wait: WaitInDetailFragment;
  decision: ApprovalDecision;
}
