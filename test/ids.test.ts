import { randomBytes, randomUUID } from 'node:crypto';
import { TypeID } from 'typeid-js';
import { fromPublicId, newUuid, timeOf, toPublicId } from '../src/platform/ids/ids.js';

const EDGES = [
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '80000000-0000-0000-0000-000000000001',
  '01234567-89ab-7cde-bf01-23456789abcd',
];

describe('public ids', () => {
  const uuids = [...EDGES, ...Array.from({ length: 2_000 }, () => randomUUID())];

  it('are those of the TypeID library', () => {
    for (const uuid of uuids) expect(toPublicId('wf', uuid)).toBe(TypeID.fromUUID('wf', uuid).toString());
  });

  it('give back the UUID that they were made of', () => {
    for (const uuid of uuids) expect(fromPublicId('run', toPublicId('run', uuid))).toBe(uuid);
  });

  it('hold what the TypeID library reads in them', () => {
    const suffixes = Array.from({ length: 2_000 }, () => {
      const [first = 0, ...rest] = randomBytes(26);
      return [first & 7, ...rest.map((byte) => byte & 31)].map((n) => '0123456789abcdefghjkmnpqrstvwxyz'[n]).join('');
    });
    for (const suffix of suffixes) {
      const id = `int_${suffix}`;
      // Bits of any kind, also such as no version of UUID has: they are well-formed ids that name nothing.
      const hex = Buffer.from(TypeID.fromString(id, 'int').toUUIDBytes()).toString('hex');
      expect(fromPublicId('int', id)?.replaceAll('-', '')).toBe(hex);
    }
  });

  it('are refused with another prefix, length, case or alphabet, or more than 128 bits', () => {
    const good = toPublicId('wf', EDGES[3]!);
    const suffix = good.slice('wf_'.length);
    const bad = [
      '',
      'wf',
      'wf_',
      suffix,
      `_${suffix}`,
      `int_${suffix}`,
      `${good}0`,
      good.slice(0, -1),
      `wf_${suffix.toUpperCase()}`,
      `wf_8${suffix.slice(1)}`,
      ...['i', 'l', 'o', 'u', '-', 'é', '\n'].map((letter) => good.slice(0, -1) + letter),
      EDGES[3]!,
    ];
    expect(fromPublicId('wf', good)).toBe(EDGES[3]);
    for (const id of bad) expect([id, fromPublicId('wf', id)]).toEqual([id, undefined]);
  });
});

describe('new UUIDs', () => {
  it('ascend within a millisecond and tell the time they were made at', () => {
    const now = new Date('2026-11-21T09:00:00.123Z');
    const made = Array.from({ length: 1_000 }, () => newUuid(now));
    expect(made.toSorted()).toEqual(made);
    expect(timeOf(made[0]!)).toEqual(now);
  });
});
