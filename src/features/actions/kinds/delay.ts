import { templateOf, that } from '../config-checks.js';
import { defineAction } from '../define-action.js';
import { orPlaceholder } from '../../../platform/json/config-key.js';
import { isOnePlaceholder } from '../placeholders/template.js';

/** The longest delay: a day. */
export const MAX_SECONDS = 86_400;

/** `{ seconds }`: above 0 and at most a day, with fractions, or one placeholder, which is validated once rendered. */
export const delay = defineAction({
  kind: 'delay',
  description: 'Waits. A waiting run occupies no worker; it continues within about a second after its time.',
  keys: {
    seconds: {
      required: true,
      about: `How long: above 0 and at most ${MAX_SECONDS.toLocaleString('en')}, fractions too; or one placeholder.`,
      schema: orPlaceholder({ type: 'number', exclusiveMinimum: 0, maximum: MAX_SECONDS }),
      check: that(secondsFault),
    },
  },
  output: '`{ "waited_until" }`.',
  execute: ({ seconds }, { startedAt, now }) => {
    const until = new Date(startedAt.getTime() + Number(seconds) * 1_000);
    return until > now ? { kind: 'wait', until } : { kind: 'succeeded', output: { waited_until: until.toISOString() } };
  },
});

function secondsFault(value: unknown): string | undefined {
  if (typeof value === 'number' && value > 0 && value <= MAX_SECONDS) return undefined;
  const template = typeof value === 'string' ? templateOf(value) : [];
  if (template === undefined || isOnePlaceholder(template)) return undefined;
  return `must be a number above 0 and at most ${MAX_SECONDS.toLocaleString('en')}, or one placeholder`;
}
