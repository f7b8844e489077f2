import { mock } from 'node:test';
import { type Answer, Answers, READ_BYTES } from '../../src/platform/admission/answers.js';
import { ANSWER_BYTES } from '../../src/platform/admission/responses/answer-too-large.js';

const MB = 1_048_576;
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const TOO_LARGE = expect.objectContaining({ code: 'answer_too_large' }) as Error;
const [TEXT, JSON_TYPE] = [25, 114];

/** Reads a column's value for a response, as a statement does. */
function read(answer: Answer, type: number, text: string): void {
  const { getTypeParser } = answer.counting((() => (value: string) => value) as never);
  (getTypeParser as (type: number, format: string) => (value: string) => unknown)(type, 'text')(text);
}

describe('an answer', () => {
  it('has 16 MB at most, and names its largest fields beyond that', () => {
    const answer = new Answers().begin('a');
    expect(ANSWER_BYTES).toBe(16 * MB);
    expect(answer.write({ text: 'x'.repeat(16 * MB - 11) })).toHaveLength(16 * MB);
    const tooLarge = { text: 'x'.repeat(16 * MB - 10), id: 1 };
    expect(() => answer.write(tooLarge)).toThrow(
      expect.objectContaining({ code: 'answer_too_large', message: expect.stringContaining('`text`') }) as Error,
    );
  });

  it('is measured in bytes, not in characters', () => {
    const answer = new Answers().begin('a');
    expect(answer.write('é'.repeat(8 * MB - 1))).toHaveLength(8 * MB + 1);
    expect(() => answer.write('é'.repeat(8 * MB))).toThrow(TOO_LARGE);
  });

  it('may have read twice as much, and no more', () => {
    const answer = new Answers().begin('a');
    read(answer, TEXT, 'x'.repeat(READ_BYTES));
    expect(() => read(answer, TEXT, 'x')).toThrow(TOO_LARGE);
  });
});

describe('the answers of a process', () => {
  it('have memory reserved for their values before anything is read, while the account has room', async () => {
    const answers = new Answers();
    const open = Array.from({ length: 4 }, () => answers.begin('a'));
    let reserved = 0;
    const all = open.map((answer) => answer.reserve(12 * MB).then(() => (reserved += 1)));
    await new Promise((resolve) => setImmediate(resolve));
    expect(reserved).toBe(3);
    expect(answers.begin('b').hasRoom).toBe(true);
    for (const answer of open.slice(0, 3)) answer.end();
    await Promise.all(all);
    for (const answer of open) answer.end();
    expect(answers.inUse).toBe(0);
  });

  it('count what is beyond 128 kB, and JSON that is parsed as more than its text', () => {
    const answers = new Answers();
    read(answers.begin('a'), TEXT, 'x'.repeat(131_072));
    expect(answers.inUse).toBe(0);
    read(answers.begin('a'), TEXT, 'x'.repeat(MB));
    expect(answers.inUse).toBe(MB + 131_072);
    read(answers.begin('a'), JSON_TYPE, 'x'.repeat(MB));
    expect(answers.inUse).toBe(9 * MB + 2 * 131_072);
  });

  it('hold what is read until it is written, then what is unread of it until its client has it', () => {
    const answers = new Answers();
    const answer = answers.begin('a');
    read(answer, JSON_TYPE, 'x'.repeat(MB));
    answer.sent(MB, true);
    expect(answers.inUse).toBe(MB);
    answer.end();
    expect(answers.inUse).toBe(0);
  });

  it('hold what is read for a disconnected client until the work ends', async () => {
    const answers = new Answers();
    const answer = answers.begin('a');
    const work = Promise.withResolvers<void>();
    const made = answer.make(() => work.promise);
    answer.end();
    read(answer, TEXT, 'x'.repeat(MB));
    expect(answers.inUse).toBeGreaterThan(MB);
    work.resolve();
    await made;
    expect(answers.inUse).toBe(0);
  });

  it('let a started answer read on, because it would otherwise wait for itself', () => {
    const answers = new Answers();
    const answer = answers.begin('a');
    read(answer, TEXT, 'x'.repeat(MB));
    answers.begin('a').holdParsed(8 * MB);
    expect([answer.hasRoom, answers.begin('a').hasRoom]).toEqual([true, false]);
  });

  it('let four answers of a single account read more than 1 MB at a time, and the next one when one is sent', async () => {
    const answers = new Answers();
    const open = Array.from({ length: 5 }, () => answers.begin('a'));
    for (const answer of open) read(answer, TEXT, 'x'.repeat(MB + 1));
    expect(open.map(({ hasRoom }) => hasRoom)).toEqual(Array(5).fill(false));
    // Statements of an answer wait together.
    await Promise.all(open.slice(0, 4).flatMap((answer) => [answer.room(), answer.room()]));
    expect(open.map(({ hasRoom }) => hasRoom)).toEqual([true, true, true, true, false]);
    const last = open[4]!.room();
    await expect(Promise.race([last, nextTurn().then(() => 'waits')])).resolves.toBe('waits');
    const write = answers.begin('a');
    write.mustFinish();
    expect(write.hasRoom).toBe(true);
    read(write, TEXT, 'x'.repeat(MB + 1));
    expect(write.hasRoom).toBe(true);
    write.end();
    open[0]!.sent(MB, true);
    await last;
    expect(open[4]!.hasRoom).toBe(true);
    for (const answer of open) answer.end();
    expect(answers.inUse).toBe(0);
  });

  it('let a response with an effect wait for its place as long as its client waits', async () => {
    const answers = new Answers();
    const held = Array.from({ length: 4 }, () => answers.begin('a'));
    for (const answer of held) await answer.expect(2 * MB, true);
    const patience = mock.method(AbortSignal, 'timeout', () => AbortSignal.abort());
    const [write, gone] = [answers.begin('a'), answers.begin('a')];
    for (const answer of [write, gone]) answer.mustFinish();
    let isRead = false;
    const waits = write.expect(2 * MB, true).then(() => (isRead = true));
    const ends = gone.expect(2 * MB, true);
    gone.end();
    await expect(ends).rejects.toMatchObject({ code: 'rate_limited' });
    // Its work may go on, but reads nothing more.
    await expect(gone.expect(2 * MB, true)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(isRead).toBe(false);
    held[0]!.end();
    await waits;
    patience.mock.restore();
  });

  it('leave other accounts their memory for values, however much one account has read or not yet received', async () => {
    const answers = new Answers();
    for (let n = 0; n < 10; n += 1) answers.begin('a').holdParsed(MB);
    await answers.begin('b').reserve(12 * MB);
    const large = Array.from({ length: 4 }, () => answers.begin('a').reserve(20 * MB));
    await expect(Promise.race([Promise.all(large), nextTurn().then(() => 'waits')])).resolves.toBe('waits');
    await answers.begin('c').reserve(MB);
  });

  it('let an account that holds too much wait, and none that holds nothing', async () => {
    const answers = new Answers();
    const held = Array.from({ length: 5 }, () => answers.begin('a'));
    // More than is left: the value was in memory before it could be refused.
    for (const answer of held) answer.write('x'.repeat(15 * MB));
    expect([answers.begin('a').hasRoom, answers.begin('b').hasRoom]).toEqual([false, true]);
    await answers.begin('b').room();
    const room = answers.begin('a').room();
    for (const answer of held.slice(2)) answer.end();
    await room;
    // Alone, it may hold two thirds.
    expect(answers.begin('a').hasRoom).toBe(true);
  });
});
