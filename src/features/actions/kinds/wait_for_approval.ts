import { textFault } from '../../../platform/validation.js';
import { type Check, oneLine, oneOf, text, that } from '../config-checks.js';
import { type Config, defineAction } from '../define-action.js';
import { type ApprovalRequest } from '../wait-request.js';
import { secondsOf, timeoutKey } from '../wait-timeout.js';
import { isMailAddress } from '../../../platform/mail/mail-address.js';

const MAX_TITLE = 200;
/** The maximum length of the text in characters, also once its placeholders are filled in. */
const MAX_TEXT = 4_000;
const MAX_APPROVERS = 20;

const ON_DENIED = ['fail', 'continue'] as const;
const ON_TIMEOUT = ['fail', 'deny'] as const;

/** `{ title, text?, approvers?, timeout_seconds?, on_denied?, on_timeout? }`: the run continues once a person decided. */
export const waitForApproval = defineAction({
  kind: 'wait_for_approval',
  description:
    'Waits until a person approves or denies. Each approver is mailed a link; without approvers the users of the account decide in the dashboard. Any action can pass a link on as `{{ waits.<name>.url }}`.',
  keys: {
    title: {
      required: true,
      about: `What is to be approved, in one line of 1 to ${MAX_TITLE} characters.`,
      schema: { type: 'string', minLength: 1 },
      isText: true,
      check: text({ pieces: oneLine, whole: (literal) => textFault(literal, 1, MAX_TITLE) }),
    },
    text: {
      required: false,
      about: `More about it: at most ${MAX_TEXT.toLocaleString('en')} characters of plain text.`,
      schema: { type: ['string', 'null'] },
      isText: true,
      check: text({ whole: (literal) => textFault(literal, 0, MAX_TEXT) }),
    },
    approvers: {
      required: false,
      about: `Up to ${MAX_APPROVERS} email addresses, each of which receives a link of its own.`,
      schema: { type: ['array', 'null'], items: { type: 'string' }, maxItems: MAX_APPROVERS },
      check: (value, field) => approversFaults(value, field),
    },
    timeout_seconds: timeoutKey,
    on_denied: {
      required: false,
      about: '`fail` (default): the step and the run fail. `continue`: the step succeeds.',
      schema: { type: 'string', enum: ON_DENIED },
      check: that(oneOf(ON_DENIED)),
    },
    on_timeout: {
      required: false,
      about: '`fail` (default): the step and the run fail. `deny`: as if a person had denied.',
      schema: { type: 'string', enum: ON_TIMEOUT },
      check: that(oneOf(ON_TIMEOUT)),
    },
  },
  output:
    '`{ "decision", "comment", "by" }`. `decision` is `approved` or `denied`. `by` is the email address of the person, the label of an API key, or null.',
  waits: () => 'approval',
  execute: (config) => ({
    kind: 'await',
    what: { kind: 'approval', seconds: secondsOf(config), ...requestOf(config) },
  }),
});

function requestOf(config: Config): ApprovalRequest {
  return {
    title: config.title as string,
    text: (config.text as string | null | undefined) ?? null,
    // Each address gets one mail, however often it is named.
    approvers: [...new Map(((config.approvers ?? []) as string[]).map((one) => [one.toLowerCase(), one])).values()],
    onDenied: (config.on_denied as ApprovalRequest['onDenied'] | null | undefined) ?? 'fail',
    onTimeout: (config.on_timeout as ApprovalRequest['onTimeout'] | null | undefined) ?? 'fail',
  };
}

const approver = text({
  pieces: oneLine,
  whole: (address) => (isMailAddress(address) ? undefined : 'must be an email address'),
});

const approversFaults: Check = (value, field) => {
  if (!Array.isArray(value) || value.length > MAX_APPROVERS) {
    return [{ field, message: `must be a list of at most ${MAX_APPROVERS} email addresses` }];
  }
  return value.flatMap((inner, index) => approver(inner, `${field}.${index}`));
};
