import { describe, expect, it } from '@jest/globals';
import { type ClaimedRun } from '../../../src/features/runs/execution/claimed-run.js';
import { inMemory } from '../../../src/features/runs/execution/run-space.js';
import { attemptStep } from '../../../src/features/runs/execution/run-step.js';
import { OutboundResponse } from '../../../src/platform/http/outbound/outbound-response.js';

/** The members that a step parses. */
const MAX_MEMBERS = 20_000;

/** The text of an object with so many members, and spaces that nothing but the text itself has. */
function wide(members: number): string {
  return `{ ${Array.from({ length: members }, (_, index) => `"key${index}": 1.0`).join(', ')} }`;
}

/** A step that posts `body` in a run with `input`. @returns its outcome, and the body that it sent. */
async function stepOf(body: unknown, input: string, response = '{}') {
  const sent: unknown[] = [];
  const config = { method: 'POST', url: 'http://a.test/', body };
  const services = {
    applications: { offersType: () => true },
    targets: { enter: async () => () => undefined },
    longWork: { turn: async () => undefined },
    outbound: {
      request: async (request: { body: unknown }) => {
        sent.push(request.body);
        return new OutboundResponse('a.test', 200, {}, Buffer.from(response));
      },
    },
  };
  const run = { uuid: '01a0b0c0-0000-7000-8000-000000000000', triggerUuid: null, accountId: 'a', hops: 0 };
  const actions = [{ name: 'post', kind: 'http_request', config }];
  const attempt = {
    run: { ...run, triggerType: 'webhook', steps: [], actions } as unknown as ClaimedRun,
    step: { index: 0, startedAt: new Date(0) },
    space: inMemory(new Map([[null, input]])),
    now: new Date(0),
    stopping: new AbortController().signal,
  };
  const outcome: any = await attemptStep(attempt as never, services as never, { error: () => undefined } as never);
  return { outcome, sent };
}

/** The passes over a large object or its text while `work` runs. */
async function passesOf(work: () => Promise<void>): Promise<string[]> {
  const [{ parse, stringify }, { entries, fromEntries }] = [JSON, Object];
  const passes: string[] = [];
  const count = (name: string, size: number): void => {
    if (size >= MAX_MEMBERS) passes.push(name);
  };
  JSON.parse = (text, ...others) => {
    count('parse', text.length / 10);
    return parse(text, ...others);
  };
  JSON.stringify = ((value: unknown, ...others: never[]) => {
    const text = stringify(value, ...others);
    count('stringify', text.length / 10);
    return text;
  }) as typeof stringify;
  Object.entries = (value: object) => {
    const members = entries(value);
    count('entries', members.length);
    return members;
  };
  Object.fromEntries = (members: Iterable<readonly unknown[]>) => {
    const value = fromEntries(members);
    count('fromEntries', Object.keys(value).length);
    return value;
  };
  try {
    await work();
  } finally {
    Object.assign(JSON, { parse, stringify });
    Object.assign(Object, { entries, fromEntries });
  }
  return passes;
}

describe('an input with more members than a step parses', () => {
  const input = wide(MAX_MEMBERS + 1);

  it('is sent as it was received by a body that is all of it', async () => {
    const passes = await passesOf(async () => {
      const { outcome, sent } = await stepOf('{{ trigger.body }}', input);
      expect([outcome.kind, sent[0] === input]).toEqual(['succeeded', true]);
    });
    expect(passes).toEqual([]);
  });

  it('is part of a text that names it', async () => {
    const { outcome, sent } = await stepOf('got {{ trigger.body }}', input);
    expect([outcome.kind, sent[0] === JSON.stringify(`got ${input}`)]).toEqual(['succeeded', true]);
  });

  it.each([
    ['a value inside of it', '{{ trigger.body.key1 }}'],
    ['an object around it', { all: '{{ trigger.body }}' }],
  ])('fails a step that needs %s', async (_, body) => {
    const { outcome, sent } = await stepOf(body, input);
    expect([outcome.kind, outcome.error?.code, sent]).toEqual(['failed', 'too_large', []]);
  });
});

describe('a response with more members than a step parses', () => {
  it('stays a text', async () => {
    const most = wide(MAX_MEMBERS);
    const more = wide(MAX_MEMBERS + 1);
    expect((await stepOf(1, '1', most)).outcome.output.body).toEqual(JSON.parse(most));
    expect((await stepOf(1, '1', more)).outcome.output.body).toBe(more);
  });
});

describe('an object with as many members as a step parses', () => {
  it.each([
    ['all of a body', '{{ trigger.body }}', 1],
    ['a part of a body', { a: '{{ trigger.body }}' }, 2],
  ])('is written no more often than needed as %s, and never copied', async (_, body, times) => {
    const passes = await passesOf(async () => {
      expect((await stepOf(body, wide(MAX_MEMBERS))).outcome.kind).toBe('succeeded');
    });
    expect(passes).toEqual(['parse', ...Array.from({ length: times }, () => 'stringify')]);
  });
});
