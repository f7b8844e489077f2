import { type TriggerType } from '../graphql/enums.generated.js';
import { lossOfNumber } from '../ui/json/json-losses.js';

/** A trigger's config in the service's format. */
export type TriggerConfig = Record<string, unknown>;

/** The fields of the form, named as in the service's faults. */
export const EMPTY_FIELDS = {
  'config.cron': '0 9 * * 1-5',
  'config.timezone': '',
  'config.catch_up': 'none',
  'config.secret': '',
  'config.signature_header': '',
  'config.dedupe_header': '',
  'config.event': '',
  'config.integration_id': '',
  workflowId: '',
  name: '',
};
/** The fields of all trigger types together, with the types of their empty values. */
export type TriggerFields = typeof EMPTY_FIELDS;

/** One row of a filter of app events; `key` identifies it while rows are added and removed. */
export interface FilterRow {
  key: number;
  path: string;
  value: string;
}

const KEYS: Readonly<Record<TriggerType, readonly string[]>> = {
  SCHEDULE: ['cron', 'timezone', 'catch_up'],
  WEBHOOK: ['secret', 'signature_header', 'dedupe_header'],
  APP_EVENT: ['event', 'integration_id'],
  MANUAL: [],
};

/** A string of a config; undefined if absent. */
export function textIn(config: TriggerConfig, key: string): string | undefined {
  const value = config[key];
  return typeof value === 'string' ? value : undefined;
}

/** The initial values of the form: those of a stored config, or common defaults. */
export function fieldsOf(config: TriggerConfig | undefined, timezone: string): TriggerFields {
  if (config === undefined) return { ...EMPTY_FIELDS, 'config.timezone': timezone };
  const known = Object.entries({ timezone: 'UTC', ...config }).filter(([, value]) => typeof value === 'string');
  return { ...EMPTY_FIELDS, ...Object.fromEntries(known.map(([key, value]) => [`config.${key}`, value])) };
}

/** The rows of a config's filter. */
export function filterRowsOf(config: TriggerConfig | undefined): FilterRow[] {
  return Object.entries((config?.filter ?? {}) as TriggerConfig).map(([path, value], key) => ({
    key,
    path,
    value: writeScalar(value),
  }));
}

/** The config from the form's fields; keys without a field keep their values from `base`. */
export function configOf(
  type: TriggerType,
  fields: TriggerFields,
  rows: readonly FilterRow[],
  base: TriggerConfig = {},
): TriggerConfig {
  const config = { ...base };
  for (const key of KEYS[type]) {
    const value = fields[`config.${key}` as keyof TriggerFields].trim();
    // A secret that cannot be read: the service refuses null, so that nothing is left unsigned by accident.
    if (value === '' && base[key] === null) continue;
    // The service keeps a secret that a config does not have.
    if (key === 'secret' && value === '' && base[key] !== undefined) {
      config[key] = null;
      continue;
    }
    const isDefault = (key === 'timezone' && value === 'UTC') || (key === 'catch_up' && value === 'none');
    if (value === '' || (isDefault && base[key] === undefined)) delete config[key];
    else config[key] = value;
  }
  if (type !== 'APP_EVENT') return config;
  const named = rows.filter(({ path }) => path.trim() !== '');
  if (named.length === 0) delete config.filter;
  else config.filter = Object.fromEntries(named.map(({ path, value }) => [path.trim(), readScalar(value)]));
  return config;
}

/** The faults of numbers that would change silently, by the names of their fields. */
export function lossesOf(rows: readonly FilterRow[]): Record<string, string> {
  return Object.fromEntries(
    rows.flatMap(({ path, value }) => {
      const loss = typeof readScalar(value) === 'number' ? lossOfNumber(value.trim()) : undefined;
      if (loss === undefined) return [];
      const change = loss === 'range' ? 'is beyond the range of a number' : `would be rounded to ${Number(value)}`;
      return [[`config.filter.${path.trim()}`, `${change}; put it in quotes for text`]];
    }),
  );
}

/** Numbers, true, false, null and texts in quotes are read as JSON, anything else is the text itself. */
function readScalar(text: string): unknown {
  const trimmed = text.trim();
  if (!/^(?:"[\s\S]*"|-?\d[\d.eE+-]*|true|false|null)$/.test(trimmed)) return trimmed;
  try {
    return JSON.parse(trimmed) as unknown;
  } catch {
    return trimmed;
  }
}

function writeScalar(value: unknown): string {
  return typeof value === 'string' && readScalar(value) === value ? value : JSON.stringify(value);
}
