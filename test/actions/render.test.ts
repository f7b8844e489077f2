import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { resolvePath } from '../../src/features/actions/placeholders/path.js';
import {
  MAX_RENDERED_BYTES,
  type RenderScope,
  renderConfig,
  renderTemplate,
} from '../../src/features/actions/placeholders/render.js';
import { RenderError } from '../../src/features/actions/placeholders/render-error.js';
import { parseTemplate } from '../../src/features/actions/placeholders/template.js';
import { cpuTime } from '../support/runner/cpu-time.js';

const scope =
  (body: unknown): RenderScope =>
  (path) =>
    resolvePath(
      {
        trigger: { body, type: 'webhook', id: 'trg_1' },
        steps: { fetch: { status: 200, body: { ok: true } } },
        run: { id: 'run_1' },
      },
      path,
    );
const order = { id: 7, name: 'Ünï "q"', tags: ['a', 'b'], none: null, paid: true, '': 1 };
const render = (text: string, body: unknown = order, maxBytes = 1_000) =>
  renderTemplate(parseTemplate(text), scope(body), { maxBytes });

function failure(work: () => unknown): RenderError {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(RenderError);
    return error as RenderError;
  }
  throw new Error('It did not fail.');
}

describe('renderTemplate', () => {
  it.each([
    ['{{ trigger.body.id }}', 7],
    ['{{ trigger.body.paid }}', true],
    ['{{ trigger.body.none }}', null],
    ['{{ trigger.body.tags }}', ['a', 'b']],
    ['{{ trigger.body }}', order],
    ['{{ steps.fetch }}', { status: 200, body: { ok: true } }],
    [' {{ trigger.body.id }}', ' 7'],
    ['{{ trigger.body.id }}{{ trigger.body.paid }}', '7true'],
    ['n={{ trigger.body.none }}', 'n=null'],
    ['{{ trigger.body.name }}!', 'Ünï "q"!'],
    ['t={{ trigger.body.tags }}', 't=["a","b"]'],
    ['{{ run.id }}/{{ trigger.type }}/{{ trigger.id }}', 'run_1/webhook/trg_1'],
    ['\\{{ run.id }}', '{{ run.id }}'],
    ['', ''],
  ])('makes of %j', (text, value) => {
    expect(render(text)).toEqual(value);
  });

  it('names the missing path', () => {
    expect(failure(() => render('{{ trigger.body.order.id }}'))).toMatchObject({
      code: 'missing_path',
      message: 'There is no trigger.body.order.id.',
    });
  });

  it('does not read placeholders in values', () => {
    expect(render('{{ trigger.body }} {{ trigger.body }}', '{{ run.id }}')).toBe('{{ run.id }} {{ run.id }}');
  });

  it('encodes values and leaves literal text unchanged', () => {
    const path = renderTemplate(parseTemplate('/a b/{{ trigger.body }}'), scope('x/../y ?\ud800'), {
      maxBytes: 100,
      encode: encodeURIComponent,
    });
    expect(path).toBe('/a b/x%2F..%2Fy%20%3F%EF%BF%BD');
  });

  it('returns a text when it encodes, even for one placeholder', () => {
    expect(renderTemplate(parseTemplate('{{ trigger.body }}'), scope(7), { maxBytes: 9, encode: (text) => text })).toBe(
      '7',
    );
  });
});

describe('renderConfig', () => {
  it('renders every text and leaves keys, their order and other values unchanged', () => {
    const config = JSON.parse(
      '{"z":"{{ trigger.body.id }}","{{ run.id }}":[1,null,{"__proto__":"{{ run.id }}"}],"a":"\\\\{{","b":false}',
    );
    expect(JSON.stringify(renderConfig(config, scope(order), 1_000))).toBe(
      '{"z":7,"{{ run.id }}":[1,null,{"__proto__":"run_1"}],"a":"{{","b":false}',
    );
  });

  it('takes exactly the bytes of the result as JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 3 }), (value, body) => {
        const texts = JSON.stringify(value).replaceAll('{{', '');
        const config = { body: '{{ trigger.body }}', inner: JSON.parse(texts), mixed: '-{{ trigger.body }}-' };
        const bytes = Buffer.byteLength(JSON.stringify(renderConfig(config, scope(body), 1_000_000)));
        renderConfig(config, scope(body), bytes);
        expect(failure(() => renderConfig(config, scope(body), bytes - 1)).code).toBe('too_large');
      }),
      { numRuns: 300 },
    );
  });

  it.each<[string, unknown, unknown]>([
    ['one large value', '{{ trigger.body }}', 'x'.repeat(1_048_577)],
    ['a large value in a text', '-{{ trigger.body }}-', 'x'.repeat(1_048_577)],
    ['many values', Array.from({ length: 6_000 }, () => '{{ trigger.body }}'), 'x'.repeat(1_000_000)],
    ['many lists', Array.from({ length: 6_000 }, () => '{{ trigger.body }}'), Array.from({ length: 300_000 }, () => 1)],
    ['many values in one text', '{{ trigger.body }}'.repeat(6_000), 'x'.repeat(100_000)],
    ['many lists in one text', '{{ trigger.body }}'.repeat(6_000), Array.from({ length: 100_000 }, () => 1)],
    [
      'many texts of control characters',
      Array.from({ length: 6_000 }, () => '-{{ trigger.body }}'),
      '\u0001'.repeat(100_000),
    ],
  ])('stops at 1 MB, before 6 GB are made, for %s', async (_, config, body) => {
    const time = await cpuTime(() =>
      expect(failure(() => renderConfig(config, scope(body), MAX_RENDERED_BYTES)).code).toBe('too_large'),
    );
    expect(time).toBeLessThan(2_000);
  });
});
