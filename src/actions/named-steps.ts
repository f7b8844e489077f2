import { parseTemplate } from './template.js';

/** The names of the steps that the placeholders of a config read, whatever its depth. Expects one that was validated. */
export function namedSteps(config: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  collect(config, names);
  return names;
}

function collect(value: unknown, names: Set<string>): void {
  if (typeof value === 'string') {
    if (!value.includes('{{')) return;
    for (const part of parseTemplate(value)) {
      if (typeof part !== 'string' && part[0] === 'steps') names.add(part[1]!);
    }
  } else if (value !== null && typeof value === 'object') {
    for (const inner of Object.values(value)) collect(inner, names);
  }
}
