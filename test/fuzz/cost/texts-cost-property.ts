import fc, { type Arbitrary } from 'fast-check';
import { type Config } from '../../../src/features/actions/define-action.js';
import { type Action } from '../../../src/features/actions/action.entity.js';
import { readsOf } from '../../../src/features/actions/reads.js';
import { renderConfig } from '../../../src/features/actions/placeholders/render.js';
import { RenderError } from '../../../src/features/actions/placeholders/render-error.js';
import { parseTemplate, TemplateError } from '../../../src/features/actions/placeholders/template.js';
import { exceedsDepth, exceedsMembers } from '../../../src/platform/json/json-depth.js';
import { parseCron, CronError, nextFire, type Cron } from '../../../src/features/triggers/schedules/cron.js';
import { countFires, lastFireUntil } from '../../../src/features/triggers/schedules/cron-span.js';
import { passes } from '../../../src/features/triggers/event-filter.js';
import { unstorablePath } from '../../../src/platform/validation.js';
import { settings } from '../runs.js';
import { scansOf } from './scans.js';
import { Steps } from './steps.js';

const DAY = 86_400_000;
/** Characters that a walk may go through for each of its text. */
const SCANS = 8;

/** Texts made of what templates, paths and JSON are made of, so that they are nearly some. */
const pieces = (longest: number): Arbitrary<string> =>
  fc
    .array(fc.constantFrom('{{', '}}', '\\{{', ' trigger.body', '.a', 'steps.x', '"', '\\', '[', '{', ']', ':', 'x'), {
      maxLength: longest,
    })
    .map((parts) => parts.join(''));

/** JSON of any shape: wide, deep, with the same keys. */
const shapes = fc.jsonValue({ maxDepth: 12, depthSize: 'large' }) as Arbitrary<unknown>;

/** Work on what a client sends costs no more than its size: templates, paths, filters, crons, shapes of JSON. */
export function describeTextCostFuzz(isLong: boolean): void {
  const longest = isLong ? 3_000 : 300;
  const hold = <T>(values: Arbitrary<T>, holds: (value: T) => void): void =>
    fc.assert(fc.property(values, holds), settings(isLong));

  it('templates are read and rendered in steps that grow like their text', () => {
    hold(pieces(longest), (text) => {
      const read = (): void => tolerating(TemplateError, () => void parseTemplate(text));
      expect(scansOf(read)).toBeLessThanOrEqual(SCANS * text.length + SCANS);
      const rendered = (): void =>
        tolerating(TemplateError, () => tolerating(RenderError, () => void renderConfig({ text }, () => 1, 10_000)));
      expect(scansOf(rendered)).toBeLessThanOrEqual(SCANS * text.length + SCANS);
      tolerating(TemplateError, () => void readsOf({ kind: 'http_request', config: { text } } as unknown as Action));
    });
  });

  // One for the end of a string, and one for the backslashes before it.
  it('the depth of JSON is known after two looks at each character of its text at most', () => {
    hold(pieces(longest), (text) => {
      expect(scansOf(() => exceedsDepth(text, 200))).toBeLessThanOrEqual(2 * text.length);
    });
  });

  // One more for the name of a member.
  it('the members of JSON are counted after three looks at each character of its text at most', () => {
    hold(pieces(longest), (text) => {
      expect(scansOf(() => exceedsMembers(text, 5))).toBeLessThanOrEqual(3 * text.length);
    });
  });

  it('JSON is looked through in steps that grow like its values', () => {
    hold(shapes, (value) => {
      const size = sizeOf(value);
      const steps = new Steps();
      unstorablePath(steps.of(value), '');
      renderConfigSafely(steps.of(value) as Config);
      expect(steps.count).toBeLessThanOrEqual(size * 12);
    });
  });

  it('a filter is evaluated in steps proportional to its paths, whatever the payload is', () => {
    const filters = fc.dictionary(pieces(20), fc.constantFrom(1, 'x', null));
    hold(fc.tuple(filters, shapes), ([filter, payload]) => {
      const length = Object.keys(filter).join('').length;
      const steps = new Steps();
      expect(scansOf(() => passes(filter, steps.of(payload)))).toBeLessThanOrEqual(length * SCANS);
      expect(steps.count).toBeLessThanOrEqual(length * SCANS);
    });
  });

  it('a cron is looked up a bounded number of times for its next firing, and for those missed as often as days passed', () => {
    const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'Australia/Lord_Howe', 'Africa/Casablanca');
    const from = fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => new Date(seconds * 1_000));
    hold(fc.tuple(crons, zones, from, fc.integer({ min: 1, max: 60 })), ([expression, zone, after, days]) => {
      let cron: Cron | undefined;
      tolerating(CronError, () => (cron = parseCron(expression, zone)));
      if (cron === undefined) return;
      const looks = looksOf(cron);
      const first = nextFire(looks.cron, after);
      // Schedules of times of day pass over each minute of a repeated hour.
      expect(looks.count).toBeLessThanOrEqual(130);
      const until = new Date(first.getTime() + days * DAY);
      looks.count = 0;
      const last = lastFireUntil(looks.cron, first, until);
      countFires(looks.cron, first, last);
      expect(looks.count).toBeLessThanOrEqual(130 * 40 + days * 30);
    });
  });
}

const field = (low: number, high: number): Arbitrary<string> => {
  const value = fc.integer({ min: low, max: high });
  return fc.oneof(
    fc.constant('*'),
    value.map(String),
    fc.integer({ min: 1, max: high - low + 1 }).map((step) => `*/${step}`),
    fc.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
    fc.array(value, { minLength: 1, maxLength: 5 }).map((values) => values.join(',')),
  );
};

const crons = fc
  .tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 7))
  .map((fields) => fields.join(' '));

/** A schedule that counts how often its calendar is asked. */
function looksOf(cron: Cron) {
  const looks = { count: 0, cron };
  const next = (local: number) => {
    looks.count += 1;
    return cron.calendar.next(local);
  };
  looks.cron = { ...cron, calendar: { next } };
  return looks;
}

function renderConfigSafely(config: Config): void {
  tolerating(TemplateError, () => tolerating(RenderError, () => void renderConfig(config, () => null, 1_048_576)));
}

/** The values in a JSON value, itself too, with the keys. */
function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.entries(value).reduce((sum, [, inner]) => sum + 1 + sizeOf(inner), 3);
}

function tolerating(expected: abstract new (...args: never[]) => Error, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof expected)) throw error;
  }
}
