import { type Context, createContext, Script } from 'node:vm';

const MILLISECONDS = 100;

const test = new Script('whole.test(value)');
/** Shared by all calls: a context takes a millisecond to create, and a megabyte until it is collected. */
let context: Context | undefined;
/** Compiled patterns by their text. Only the operator defines patterns, so there are few. */
const patterns = new Map<string, RegExp>();

/**
 * Whether a pattern matches a whole value. V8's own timeout stops catastrophic backtracking, because it also works
 * inside regular expressions. A pattern that times out does not match.
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
