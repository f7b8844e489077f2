import { Button } from '@mantine/core';
import { type ApprovalDecision } from '../graphql/enums.generated.js';
import { LabelledCopyButton } from '../ui/values/copy-button.js';
import { type WaitInDetailFragment } from './waits.generated.js';

/** The action that ends a wait: decide, or copy the URL for the user or the system that can. */
export function WaitAction({ wait, onDecide }: WaitActionProps) {
  const { kind, title, step, reference, connectUrl, url } = wait;
  if (kind === 'APPROVAL')
    return (
      <>
        <Button size="xs" aria-label={`Approve “${title}”`} onClick={() => onDecide('APPROVED')}>
          Approve
        </Button>
        <Button size="xs" variant="default" aria-label={`Deny “${title}”`} onClick={() => onDecide('DENIED')}>
          Deny
        </Button>
      </>
    );
  if (kind === 'CONNECTION' && connectUrl !== null)
    return <LabelledCopyButton value={connectUrl} label="Copy link" about={`to connect “${reference}”`} />;
  if (kind === 'CALLBACK' && url !== null)
    return <LabelledCopyButton value={url} label="Copy URL" about={`of “${step}”`} />;
  return null;
}

/** `onDecide` asks for a comment and decides. */
export interface WaitActionProps {
  wait: WaitInDetailFragment;
  onDecide: (decision: ApprovalDecision) => void;
}
