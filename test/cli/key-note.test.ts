import { keyNote } from '../../src/process/cli/key-note.js';

describe('the note of a new key', () => {
  it('says at a terminal what a read-only key can read', () => {
    expect(keyNote('read-only', { isTTY: true })).toMatch(/^keys: note: .*secrets of webhook triggers.*\n$/);
  });

  it.each([
    ['a program', keyNote('read-only', {})],
    ['a person of a read-write key', keyNote('read-write', { isTTY: true })],
  ])('tells %s nothing', (_, note) => {
    expect(note).toBe('');
  });
});
