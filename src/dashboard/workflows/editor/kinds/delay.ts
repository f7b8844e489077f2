import { IconHourglass } from '@tabler/icons-react';
import { type KindDefinition, textOf } from './define-kind.js';
import { DelayFields } from './delay-fields.js';
import { UNITS } from './units.js';

/** Waits for a while. */
export const delay: KindDefinition = {
  kind: 'DELAY',
  label: 'Delay',
  icon: IconHourglass,
  explains: 'Waits for a while, up to a day, before the next action.',
  name: 'delay',
  keys: ['seconds'],
  read: ({ seconds }) => {
    if (typeof seconds !== 'number') return { texts: { amount: textOf(seconds), unit: '1' }, rows: {} };
    const unit = [3_600, 60].find((size) => seconds > 0 && seconds % size === 0) ?? 1;
    return { texts: { amount: String(seconds / unit), unit: String(unit) }, rows: {} };
  },
  write: ({ texts: { amount = '', unit = '1' } }) => {
    const text = amount.trim();
    if (text === '') return { config: {}, faults: {} };
    const number = Number(text);
    return { config: { seconds: Number.isFinite(number) ? number * Number(unit) : text }, faults: {} };
  },
  summary: ({ texts: { amount = '', unit } }) => {
    if (amount === '') return '';
    const word = UNITS.find(({ value }) => value === unit)?.label ?? 'seconds';
    return `Wait ${amount} ${amount === '1' ? word.slice(0, -1) : word}`;
  },
  Fields: DelayFields,
};
