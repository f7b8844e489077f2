import { checkConfig, templateOf, that } from '../config-checks.js';
import { defineAction } from '../define-action.js';
import { isOnePlaceholder } from '../template.js';

const MAX_SECONDS = 86_400;

/** `{ seconds }`: above 0 and at most a day, with fractions, or one placeholder, which is validated once rendered. */
export const delay = defineAction({
  kind: 'delay',
  description: 'Waits. Config: `seconds`, above 0 and at most 86,400.',
  validate: (config, at) => checkConfig(config, at, { required: { seconds: that(secondsFault) } }),
  execute: ({ seconds }, { startedAt, now }) => {
    const until = new Date(startedAt.getTime() + Number(seconds) * 1_000);
    return until > now ? { kind: 'wait', until } : { kind: 'succeeded', output: { waited_until: until.toISOString() } };
  },
});

function secondsFault(value: unknown): string | undefined {
  if (typeof value === 'number' && value > 0 && value <= MAX_SECONDS) return undefined;
  const template = typeof value === 'string' ? templateOf(value) : [];
  if (template === undefined || isOnePlaceholder(template)) return undefined;
  return 'must be a number above 0 and at most 86,400, or one placeholder';
}
