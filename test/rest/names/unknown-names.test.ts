import { faultsOfConfigNames, faultsOfNames, nearNames } from '../../../src/platform/json/unknown-names.js';

const KNOWN = ['status', 'per_page', 'name', 'url', 'id', 'timezone', 'created_after'];

describe('nearNames', () => {
  it.each([
    ['STATUS', 'status', 'another case'],
    ['perPage', 'per_page', 'another style'],
    ['per-page', 'per_page', 'another style'],
    ['createdAfter', 'created_after', 'another style'],
    ['nmae', 'name', 'swapped neighbours'],
    ['nam_', 'name', 'one replaced'],
    ['names', 'name', 'one more'],
    ['statu', 'status', 'one less'],
    ['statuses', 'status', 'two more of eight'],
    ['tsatsu', 'status', 'two swaps of six'],
    ['tz', 'timezone', 'the alias'],
  ])('takes %s for %s: %s', (name, meant) => {
    expect(nearNames(KNOWN)(name)).toBe(meant);
  });

  it.each([
    ['nmea', 'two edits of four characters'],
    ['sta222', 'three edits'],
    ['urls', 'url is too short'],
    ['ID', 'too short'],
    ['nam', 'too short'],
    ['constructor', 'another name'],
    ['', 'empty'],
  ])('takes %s for nothing: %s', (name) => {
    expect(nearNames(KNOWN)(name)).toBeUndefined();
  });

  it('finds what a table of all edits finds', () => {
    const random = seeded(7);
    const names = ['created_after', 'abab', 'aabbab', 'status'];
    for (let time = 0; time < 20_000; time += 1) {
      const known = names[time % names.length]!;
      const name = edited(known, random(4), random);
      const isNear = name.length >= 4 && distance(name, known) <= (name.length < 6 ? 1 : 2);
      const isSame = name.length >= 4 && name.replaceAll('_', '') === known.replaceAll('_', '');
      expect([name, nearNames([known])(name)]).toEqual([name, isNear || isSame ? known : undefined]);
    }
  });

  it('takes tz for nothing where there is no timezone', () => {
    expect(nearNames(['cron'])('tz')).toBeUndefined();
  });
});

describe('faultsOfNames', () => {
  it('does not suggest a name that is there already', () => {
    expect(faultsOfNames(['status', 'statuss'], KNOWN, '', false)).toEqual([]);
    expect(faultsOfNames(['status', 'statuss'], KNOWN, 'a.', true)).toEqual([
      { field: 'a.statuss', message: 'is unknown' },
    ]);
  });

  it('compares the first 1,000 unknown names by edits, and all others in another style', () => {
    const others = Array.from({ length: 1_000 }, (_, index) => `other ${index}`);
    const suggested = (names: string[]) => faultsOfNames(names, KNOWN, '', false).map(({ field }) => field);
    expect(suggested([...others.slice(1), 'statuss', 'STATUS'])).toEqual(['statuss', 'STATUS']);
    expect(suggested([...others, 'statuss', 'STATUS'])).toEqual(['STATUS']);
  });

  it('stops at 100 faults', () => {
    const names = Array.from(
      { length: 5_000 },
      (_, index) => `status${index % 10}${String.fromCodePoint(index + 300)}`,
    );
    expect(faultsOfNames(names, KNOWN, '', false)).toHaveLength(100);
  });
});

describe('faultsOfConfigNames', () => {
  it('notes 20 ignored names of several configs, with those of inner objects', () => {
    const ignoredNames = new Set<string>();
    const config = {
      inner: { b: 1 },
      ...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`a${index}`, 1])),
    };
    const schema = { type: 'object', properties: { known: {} } };
    const keys = { inner: { required: false, about: '', schema } };
    for (let index = 0; index < 1_000; index += 1) {
      faultsOfConfigNames(config, keys, `actions.${index}.`, { strictNames: false, ignoredNames });
    }
    expect(ignoredNames.size).toBe(20);
    expect([...ignoredNames].slice(11, 15)).toEqual([
      'actions.0.a11',
      'actions.0.inner.b',
      'actions.1.a0',
      'actions.1.a1',
    ]);
  });
});

/** Numbers below a limit, the same in each run. */
function seeded(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * limit);
  };
}

/** A text after random edits, with few different characters, so that many texts are near each other. */
function edited(text: string, edits: number, random: (limit: number) => number): string {
  const characters = Array.from(text);
  for (let edit = 0; edit < edits; edit += 1) {
    const at = random(characters.length - 1);
    const [one, next] = [characters[at]!, characters[at + 1]!];
    const drawn = 'abst_e'[random(6)]!;
    characters.splice(at, 2, ...[[drawn, one, next], [next], [drawn, next], [next, one]][random(4)]!);
  }
  return characters.join('');
}

/** The optimal string alignment distance by its definition. */
function distance(one: string, other: string): number {
  const table = Array.from({ length: one.length + 1 }, (_, row) =>
    Array.from({ length: other.length + 1 }, (_, column) => (row === 0 ? column : row)),
  );
  for (let row = 1; row <= one.length; row += 1) {
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      table[row]![column] = Math.min(
        table[row - 1]![column]! + 1,
        table[row]![column - 1]! + 1,
        table[row - 1]![column - 1]! + (isSame ? 0 : 1),
        isSwapped ? table[row - 2]![column - 2]! + 1 : Infinity,
      );
    }
  }
  return table[one.length]![other.length]!;
}
