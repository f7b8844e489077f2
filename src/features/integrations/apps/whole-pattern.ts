import { type Context, createContext, Script } from 'node:vm';

const MILLISECONDS = 100;

const test = new Script('whole.test(value)');
/** One for all: making one takes a millisecond, and a megabyte until it is collected. */
let context: Context | undefined;
/** By their text; they are the operator's, so there are few. */
const patterns = new Map<string, RegExp>();

/**
 * Whether a pattern matches the whole of a value. One that backtracks for ever is stopped by V8's own timer, which works
 * inside regular expressions; then nothing matches.
 */
export function matchesWhole(pattern: string, value: string): boolean {
  let whole = patterns.get(pattern);
  if (whole === undefined) patterns.set(pattern, (whole = new RegExp(`^(?:${pattern})$`, 'u')));
  context ??= createContext({});
  Object.assign(context, { whole, value });
  try {
    return test.runInContext(context, { timeout: MILLISECONDS }) === true;
  } catch {
    return false;
  } finally {
    Object.assign(context, { whole: undefined, value: undefined });
  }
}
