import { type Config } from '../draft-action.js';
import { textOf } from './define-kind.js';

/** The units of durations, in seconds. */
export const UNITS = [
  { value: '1', label: 'seconds' },
  { value: '60', label: 'minutes' },
  { value: '3600', label: 'hours' },
  { value: '86400', label: 'days' },
];

type Texts = Readonly<Record<string, string>>;

/** The texts of a duration, `<key>_amount` and `<key>_unit`: the largest unit that gives a whole amount. */
export function readDuration(key: string, seconds: unknown): Texts {
  if (typeof seconds !== 'number') return textsOf(key, textOf(seconds), 1);
  const unit = [86_400, 3_600, 60].find((size) => seconds > 0 && seconds % size === 0) ?? 1;
  return textsOf(key, String(seconds / unit), unit);
}

/** The duration as a config of one key: its seconds, or a text that is no number; empty for an empty field. */
export function writeDuration(key: string, texts: Texts): Config {
  const text = (texts[`${key}_amount`] ?? '').trim();
  if (text === '') return {};
  const number = Number(text);
  return { [key]: Number.isFinite(number) ? number * Number(texts[`${key}_unit`] ?? '1') : text };
}

/** “5 minutes”; empty for an empty field. */
export function durationInText(key: string, texts: Texts): string {
  const amount = texts[`${key}_amount`] ?? '';
  if (amount === '') return '';
  const unit = UNITS.find(({ value }) => value === texts[`${key}_unit`])?.label ?? 'seconds';
  return `${amount} ${amount === '1' ? unit.slice(0, -1) : unit}`;
}

function textsOf(key: string, amount: string, unit: number): Texts {
  return { [`${key}_amount`]: amount, [`${key}_unit`]: String(unit) };
}
