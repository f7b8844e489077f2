import { type DecidedWaitFragment } from './decision.generated.js';

/** The output of an approval. */
export interface Decision {
  decision: 'approved' | 'denied';
  comment: string | null;
  by: string | null;
}

/** Whether a value is the output of an approval. */
export function isDecision(value: unknown): value is Decision {
  if (typeof value !== 'object' || value === null || !('decision' in value)) return false;
  return value.decision === 'approved' || value.decision === 'denied';
}

/** A decision as a sentence, e.g. “Approved by ada@example.com: “Fine.””. A decision without an address names no person. */
export function decisionInWords({ decision, comment, by }: Decision): string {
  const what = decision === 'approved' ? 'Approved' : 'Denied';
  const who = by === null ? '' : ` by ${by}`;
  return comment === null || comment === '' ? `${what}${who}.` : `${what}${who}: “${comment}”`;
}

/** Why a wait can no longer be decided. */
export function endInWords({ status, answer }: Pick<DecidedWaitFragment, 'status' | 'answer'>): string {
  if (isDecision(answer)) return decisionInWords(answer);
  if (status === 'EXPIRED') return 'It timed out before anyone decided.';
  return status === 'CANCELED' ? 'Its run was canceled.' : 'It was decided.';
}
