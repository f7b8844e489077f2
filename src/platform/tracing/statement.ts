import { type Attributes, currentSpan, traced } from './span.js';

const MAX_TEXT = 4_000;
/** Most statements are one of a few hundred texts. */
const MAX_KNOWN = 1_000;

interface Described {
  operation: string;
  attributes: Attributes;
}

const known = new Map<string, Described>();

/** Runs a statement as a part of the current span. Its text holds no values: those are parameters. */
export function tracedStatement<T>(text: string, work: () => Promise<T>): Promise<T> {
  if (currentSpan()?.isRecording !== true) return work();
  const { operation, attributes } = described(text);
  return traced(operation, 'client', attributes, work);
}

function described(text: string): Described {
  const found = known.get(text);
  if (found !== undefined) return found;
  const operation = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'STATEMENT';
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    'db.query.text': text.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT),
  };
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, { operation, attributes });
  return { operation, attributes };
}
