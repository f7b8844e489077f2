import { newRow } from '../../draft-action.js';
import { type KindDefinition, textOf } from '../define-kind.js';
import { readDuration, writeDuration } from '../duration.js';
import { WaitForApprovalFields } from './wait-for-approval-fields.js';
import { IconUserCheck } from '../../../../ui/icons/icons.js';

/** Waits until a user approves or denies. */
export const waitForApproval: KindDefinition = {
  kind: 'WAIT_FOR_APPROVAL',
  label: 'Wait for approval',
  icon: IconUserCheck,
  explains: 'Asks users to approve or deny, here or by an email link, before the next action.',
  help: 'waitForApproval',
  name: 'approval',
  keys: ['title', 'text', 'approvers', 'timeout_seconds', 'on_denied', 'on_timeout'],
  read: ({ title, text, approvers, timeout_seconds: seconds, on_denied: onDenied, on_timeout: onTimeout }) => ({
    texts: {
      title: textOf(title),
      text: textOf(text),
      on_denied: textOf(onDenied) || 'fail',
      on_timeout: textOf(onTimeout) || 'fail',
      ...readDuration('timeout_seconds', seconds ?? 86_400),
    },
    rows: { approvers: ((approvers ?? []) as unknown[]).map((address) => newRow('', textOf(address))) },
  }),
  write: ({ texts, rows: { approvers = [] } }) => {
    const { title = '', text = '', on_denied: onDenied, on_timeout: onTimeout } = texts;
    const addresses = approvers.map(({ value }) => value.trim());
    return {
      config: {
        title,
        ...(text !== '' && { text }),
        ...(addresses.length > 0 && { approvers: addresses }),
        ...writeDuration('timeout_seconds', texts),
        on_denied: onDenied,
        on_timeout: onTimeout,
      },
      faults: {},
    };
  },
  waitPart: () => 'url',
  summary: ({ texts: { title = '' } }) => title,
  Fields: WaitForApprovalFields,
};
