import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useQuery, useSubscription } from 'urql';
import { Form } from '../../ui/forms/form.js';
import { useSending } from '../../ui/dialogs/dialog-context.js';
import { useAction } from '../../ui/forms/use-action.js';
import { useFields } from '../../ui/forms/use-fields.js';
import { Notice } from '../../ui/pages/notice.js';
import { notifyDone } from '../../ui/pages/notify.js';
import { type Asked } from './asked.js';
import classes from './decision.module.css';
import {
  DecidedDocument,
  type DecidedWaitFragment,
  DecideWaitDocument,
  WaitDecidedDocument,
} from './decision.generated.js';
import { endInWords } from './decided.js';

const MAX_COMMENT = 2_000;

/** The approval with a field for a comment; the end of the wait instead, if it ends before the user has decided. */
export function DecisionForm({ asked: { wait, decision }, onDecided, onClose }: DecisionFormProps) {
  const { run, running, fault } = useAction(DecideWaitDocument, { inForm: true });
  useSending(running);
  const { values, field } = useFields({ comment: '' }, fault);
  const [isMine, setIsMine] = useState(false);
  const isLate = fault?.code === 'CONFLICT';
  const ended = useEnd(wait.id, isLate);
  const isApproval = decision === 'APPROVED';
  const decide = async () => {
    setIsMine(true);
    const comment = values.comment.trim();
    const done = await run({ id: wait.id, decision, comment: comment === '' ? undefined : comment });
    if (done === undefined) return setIsMine(false);
    onDecided();
    onClose();
    notifyDone(isApproval ? `Approved: “${wait.title}”.` : `Denied: “${wait.title}”.`);
  };
  if (ended !== undefined && !isMine) return <Late end={ended} comment={values.comment.trim()} onClose={onClose} />;
  return (
    <Form
      label={isApproval ? 'Approve' : 'Deny'}
      onSubmit={() => void decide()}
      fault={isLate ? undefined : fault}
      footer={
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} disabled={running}>
            Cancel
          </Button>
          <Button type="submit" color={isApproval ? undefined : 'red'} loading={running}>
            {isApproval ? 'Approve' : 'Deny'}
          </Button>
        </Group>
      }
    >
      <div>
        <p className={classes.title}>{wait.title}</p>
        {wait.text !== null && (
          <div className={classes.text} tabIndex={0} role="region" aria-label="Details">
            {wait.text}
          </div>
        )}
      </div>
      <Textarea
        {...field('comment')}
        label="Comment"
        description="Optional. Later actions can read it."
        maxLength={MAX_COMMENT}
        maxRows={8}
        data-autofocus
      />
    </Form>
  );
}

/** The wait once it has ended: as soon as the change arrives, or when the service refuses a decision. */
function useEnd(id: string, isLate: boolean): DecidedWaitFragment | undefined {
  useSubscription({ query: WaitDecidedDocument, variables: { id } });
  const [{ data }, execute] = useQuery({ query: DecidedDocument, variables: { id } });
  const wait = data?.wait;
  const isOver = wait !== undefined && wait.status !== 'PENDING';
  const isKnown = isOver && (wait.status !== 'ANSWERED' || wait.answer !== null);
  const asks = isLate || (isOver && !isKnown);
  useEffect(() => {
    if (asks) execute({ requestPolicy: 'network-only' });
  }, [asks, execute]);
  return isKnown ? wait : undefined;
}

function Late({ end, comment, onClose }: { end: DecidedWaitFragment; comment: string; onClose: () => void }) {
  const title = end.status === 'ANSWERED' ? 'It was decided in between' : 'Too late';
  return (
    <Stack gap="md">
      <div role="status">
        <Notice tone="warn" title={title}>
          {endInWords(end)}
        </Notice>
      </div>
      {comment !== '' && (
        <Textarea label="Your comment" description="It was not sent." value={comment} maxRows={8} readOnly />
      )}
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          Close
        </Button>
      </Group>
    </Stack>
  );
}

/** `onDecided` is called before `onClose` if the decision was taken. */
export interface DecisionFormProps {
  asked: Asked;
  onDecided: () => void;
  onClose: () => void;
}
