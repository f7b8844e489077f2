import { segmentsBetween } from '../../../src/platform/db/embedded/base-backup.js';

const SIZE = 16 * 2 ** 20;

it.each([
  ['000000010000000000000003', '000000010000000000000003', ['000000010000000000000003']],
  [
    '0000000100000000000000FE',
    '000000010000000100000001',
    ['0000000100000000000000FE', '0000000100000000000000FF', '000000010000000100000000', '000000010000000100000001'],
  ],
])('the WAL from %s to %s has each segment in between', (from, to, names) => {
  expect(segmentsBetween(from, to, SIZE)).toEqual(names);
});
