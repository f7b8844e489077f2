import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseTemplate, type Template, TemplateError } from '../../src/features/actions/placeholders/template.js';
import { cpuTime } from '../support/runner/cpu-time.js';

const body = (...keys: string[]) => ['trigger', 'body', ...keys];

function refusal(text: string): TemplateError {
  try {
    parseTemplate(text);
  } catch (error) {
    expect(error).toBeInstanceOf(TemplateError);
    return error as TemplateError;
  }
  throw new Error(`${JSON.stringify(text)} was taken.`);
}

/** The text of a template: the inverse of parsing. */
function print(template: Template): string {
  return template
    .map((part) => (typeof part === 'string' ? part.replaceAll('{{', '\\{{') : `{{ ${part.join('.')} }}`))
    .join('');
}

describe('parseTemplate', () => {
  it.each<[string, Template]>([
    ['', []],
    ['plain', ['plain']],
    ['{{ trigger.body.order.id }}', [body('order', 'id')]],
    ['{{trigger.body.order.id}}', [body('order', 'id')]],
    ['{{\t\n trigger.body \r\n}}', [body()]],
    ['{{ trigger.type }}', [['trigger', 'type']]],
    ['{{ trigger.id }}', [['trigger', 'id']]],
    ['{{ run.id }}', [['run', 'id']]],
    ['{{ steps.fetch }}', [['steps', 'fetch']]],
    ['{{ steps.fetch.body.x }}', [['steps', 'fetch', 'body', 'x']]],
    ['{{ steps.Fetch the order (1).body }}', [['steps', 'Fetch the order (1)', 'body']]],
    ['{{ steps.__proto__.body }}', [['steps', '__proto__', 'body']]],
    ['{{ trigger.body.items.2.id }}', [body('items', '2', 'id')]],
    ['{{ trigger.body.content-type }}', [body('content-type')]],
    ['{{ trigger.body.@type.$ref.#text.a:b }}', [body('@type', '$ref', '#text', 'a:b')]],
    ['{{ trigger.body.größe.名前.नाम }}', [body('größe', '名前', 'नाम')]],
    ['{{ trigger.body.__proto__ }}', [body('__proto__')]],
    ['{{ trigger.body.constructor }}', [body('constructor')]],
    ['a {{ run.id }} b', ['a ', ['run', 'id'], ' b']],
    [
      '{{ run.id }}{{ run.id }}',
      [
        ['run', 'id'],
        ['run', 'id'],
      ],
    ],
    ['\\{{', ['{{']],
    ['\\{{ not.a.path }}', ['{{ not.a.path }}']],
    ['\\{{ {{ run.id }} }}', ['{{ ', ['run', 'id'], ' }}']],
    ['\\{{{{ run.id }}', ['{{', ['run', 'id']]],
    ['\\\\{{ x }}', ['\\{{ x }}']],
    ['\\{{\\{{', ['{{{{']],
    ['\\{{{', ['{{{']],
    ['{\\{{', ['{{{']],
    ['{"a":{{ run.id }}}', ['{"a":', ['run', 'id'], '}']],
    ['}} }', ['}} }']],
    ['{ { run.id } }', ['{ { run.id } }']],
    ['\\ {', ['\\ {']],
    ['😀{{ run.id }}😀', ['😀', ['run', 'id'], '😀']],
  ])('reads %j', (text, template) => {
    expect(parseTemplate(text)).toEqual(template);
  });

  it.each([
    ['{{', 'must be closed'],
    ['{{ run.id', 'must be closed'],
    ['{{ run.id }', 'must be closed'],
    ['{{}}', 'must begin with trigger, steps, waits or run'],
    ['{{   }}', 'must begin with trigger, steps, waits or run'],
    ['{{ x }}', 'must begin with trigger, steps, waits or run'],
    ['{{ env.HOME }}', 'must begin with trigger, steps, waits or run'],
    ['{{ process.env.HOME }}', 'must begin with trigger, steps, waits or run'],
    ['{{ constructor.constructor }}', 'must begin with trigger, steps, waits or run'],
    ['{{ Trigger.body }}', 'must begin with trigger, steps, waits or run'],
    ['{{ 1 + 1 }}', 'must begin with trigger, steps, waits or run'],
    ['{{ .trigger.body }}', 'must begin with trigger, steps, waits or run'],
    ['{{{ run.id }}}', 'must begin with trigger, steps, waits or run'],
    ['{{#if trigger.body}}', 'must begin with trigger, steps, waits or run'],
    ['{{ {{ run.id }} }}', 'must begin with trigger, steps, waits or run'],
    ['{{ trigger }}', 'followed by .body, .headers, .query, .type or .id'],
    ['{{ trigger. }}', 'followed by .body, .headers, .query, .type or .id'],
    ['{{ trigger.header }}', 'followed by .body, .headers, .query, .type or .id'],
    ['{{ trigger["body"] }}', 'must begin with trigger, steps, waits or run'],
    ['{{ trigger.type.x }}', 'nothing may follow trigger.type'],
    ['{{ trigger.id.x }}', 'nothing may follow trigger.id'],
    ['{{ run }}', 'followed by .id'],
    ['{{ run.input }}', 'followed by .id'],
    ['{{ run.id.x }}', 'nothing may follow run.id'],
    ['{{ run.id.toString() }}', 'nothing may follow run.id'],
    ['{{ steps }}', 'followed by a dot and the name of an action'],
    ['{{ steps. }}', 'followed by a dot and the name of an action'],
    ['{{ steps..body }}', 'followed by a dot and the name of an action'],
    ['{{ steps. a.body }}', 'followed by a dot and the name of an action'],
    ['{{ steps.a\nb.body }}', 'followed by a dot and the name of an action'],
    ['{{ trigger.body. }}', 'keys joined by dots'],
    ['{{ trigger.body..x }}', 'keys joined by dots'],
    ['{{ trigger.body.a b }}', 'keys joined by dots'],
    ['{{ trigger.body.a || trigger.body.b }}', 'keys joined by dots'],
    ['{{ trigger.body.x | upper }}', 'keys joined by dots'],
    ['{{ trigger.body.items[0] }}', 'keys joined by dots'],
    ['{{ trigger.body.f() }}', 'keys joined by dots'],
    ['{{ trigger.body.a+b }}', 'keys joined by dots'],
    ['{{ trigger.body."a" }}', 'keys joined by dots'],
    ['{{ trigger.body.`a` }}', 'keys joined by dots'],
    ['{{ trigger.body.{a} }}', 'keys joined by dots'],
    ['{{ trigger.body.😀 }}', 'keys joined by dots'],
    ['{{ trigger.body.a\u200bb }}', 'keys joined by dots'],
    ['{{ steps.a.body.x ? 1 : 2 }}', 'keys joined by dots'],
  ])('refuses %j', (text, reason) => {
    expect(refusal(text).message).toContain(reason);
  });

  it.each([
    ['{{ x }}', 0],
    ['ab{{ x }}', 2],
    ['{{ run.id }} {{ x }}', 13],
    ['\\{{ {{ x', 4],
    ['😀{{', 2],
  ])('says at which position %j goes wrong', (text, position) => {
    expect(refusal(text)).toMatchObject({ position, message: expect.stringContaining(`position ${position})`) });
  });

  it('does not quote the text, which may contain a secret', () => {
    expect(refusal('{{ hunter2 }}').message).not.toContain('hunter2');
  });

  it('reads what print writes', () => {
    // A backslash right before a placeholder would escape it, and a brace would join it: neither can be written.
    const literal = fc
      .string({ unit: fc.constantFrom('{', '}', '\\', ' ', 'a', '.', 'é', '😀') })
      .filter((text) => text !== '' && !/[\\{]$/.test(text));
    const key = fc.string({ unit: fc.constantFrom('a', 'B', '7', '_', '-', '$', 'ü'), minLength: 1, maxLength: 5 });
    const path = fc.oneof(
      fc.array(key, { maxLength: 5 }).map((keys) => ['trigger', 'body', ...keys]),
      fc.array(key, { minLength: 1, maxLength: 5 }).map((keys) => ['steps', ...keys]),
      fc.constant(['run', 'id']),
    );
    const template = fc
      .array(fc.oneof(literal, path))
      .map((parts) => parts.filter((part, index) => typeof part !== 'string' || typeof parts[index - 1] !== 'string'));
    fc.assert(
      fc.property(template, (parts) => {
        expect(parseTemplate(print(parts))).toEqual(parts);
      }),
      { numRuns: 1_000 },
    );
  });

  it('parses any text or throws a TemplateError, and nothing else', () => {
    const unit = fc.constantFrom(
      '{{',
      '}}',
      '{',
      '}',
      '\\',
      '.',
      ' ',
      'run',
      'id',
      'steps',
      'trigger',
      'body',
      '\ud800',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
        try {
          parseTemplate(text);
        } catch (error) {
          expect(error).toBeInstanceOf(TemplateError);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it.each<[string, (size: number) => string]>([
    ['braces', (size) => '{'.repeat(size)],
    ['closing braces', (size) => '}'.repeat(size)],
    ['escaped braces', (size) => '\\{{'.repeat(size / 3)],
    ['backslashes', (size) => '\\'.repeat(size)],
    ['placeholders', (size) => '{{run.id}}'.repeat(size / 10)],
    ['one long path', (size) => `{{ trigger.body${'.a'.repeat(size / 2)} }}`],
    ['one long key', (size) => `{{ trigger.body.${'a'.repeat(size)}! }}`],
    ['one long name', (size) => `{{ steps.${'a '.repeat(size / 2)} }}`],
    ['space in braces', (size) => `{{ ${' '.repeat(size)}x }}`],
  ])('takes linear time for 1 MB of %s', async (_, make) => {
    const text = make(1_048_576);
    const time = await cpuTime(() => {
      try {
        parseTemplate(text);
      } catch (error) {
        expect(error).toBeInstanceOf(TemplateError);
      }
    });
    // Quadratic time would take minutes.
    expect(time).toBeLessThan(2_000);
  });
});
