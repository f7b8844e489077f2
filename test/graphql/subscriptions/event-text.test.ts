import { describe, expect, it } from '@jest/globals';
import { EVENT_BYTES, eventText } from '../../../src/transports/graphql/subscriptions/event-text.js';
import { JsonText, NeededJson } from '../../../src/platform/json/json-text.js';

const MB = 1_048_576;
const textOf = (length: number, letter = 'x') => new JsonText(JSON.stringify(letter.repeat(length - 2)));
/** An event whose JSON has so many bytes. */
const eventOf = (bytes: number, letter = 'x') => {
  const event = (length: number) => ({
    data: { changed: { status: 'FAILED', run: { input: textOf(length, letter) } } },
  });
  return event(2 + (bytes - JSON.stringify(event(2)).length));
};

describe('an event', () => {
  it('has 1 MB at most, written as it is', () => {
    const text = eventText(eventOf(MB));
    expect([EVENT_BYTES, Buffer.byteLength(text)]).toEqual([MB, MB]);
    expect(JSON.parse(text).extensions).toBeUndefined();
  });

  it.each([
    ['a byte more', () => eventOf(MB + 1)],
    // Known only once it is written.
    ['the same in characters, and more in bytes', () => eventOf(MB, 'é')],
    ['as many megabytes as one likes', () => eventOf(40 * MB)],
  ])('comes without its large field where it would have %s', (_, event) => {
    expect(JSON.parse(eventText(event()))).toEqual({
      data: { changed: { status: 'FAILED', run: { input: null } } },
      extensions: { omitted: ['changed.run.input'] },
    });
  });

  it('comes without the largest only, as few as need be', () => {
    const [small, middle, large] = [1_000, 400_000, 700_000].map((length) => textOf(length));
    const run = { input: middle, steps: [{ output: small }, { output: large }] };
    const { data, extensions } = JSON.parse(eventText({ data: { run } }));
    expect(extensions).toEqual({ omitted: ['run.steps.1.output'] });
    expect(data.run.steps[1]).toEqual({ output: null });
    expect([data.run.input.length, data.run.steps[0].output.length]).toEqual([399_998, 998]);
  });

  it('comes without a field that gets longer when it is written again', () => {
    const input = new JsonText(`[${Array.from({ length: 100_000 }, () => '1e20').join()}]`);
    expect(JSON.parse(eventText({ data: { run: { input, id: 1 } } }))).toEqual({
      data: { run: { input: null, id: 1 } },
      extensions: { omitted: ['run.input'] },
    });
  });

  it('comes without data where a field is too large that is never null', () => {
    const config = new NeededJson(JSON.stringify({ url: 'x'.repeat(MB) }));
    const data = { changed: { input: textOf(10), actions: [{ config }] } };
    expect(JSON.parse(eventText({ data }))).toEqual({ data: null, extensions: { omitted: ['changed'] } });
  });

  it('comes without data where no field could be left out', () => {
    const data = { changed: Array.from({ length: 2_000 }, () => ({ name: 'x'.repeat(1_000) })) };
    expect(JSON.parse(eventText({ data }))).toEqual({ data: null, extensions: { omitted: ['changed'] } });
    expect(JSON.parse(eventText({ errors: [{ message: 'x'.repeat(2 * MB) }] })).data).toBeNull();
  });
});
