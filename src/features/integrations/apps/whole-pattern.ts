import { type Context, createContext, Script } from 'node:vm';

/** What a match may take, in CPU time of the process. */
const MILLISECONDS = 100;
/** Further tries of a match that got too little CPU time: V8 measures its timeout by the clock. */
const TRIES = 100;

const test = new Script('whole.test(value)');
/** Shared by all calls: a context takes a millisecond to create, and a megabyte until it is collected. */
let context: Context | undefined;
/** Compiled patterns by their text. Only the operator defines patterns, so there are few. */
const patterns = new Map<string, RegExp>();

/**
 * Whether a pattern matches a whole value. V8's own timeout stops catastrophic backtracking, because it also works
 * inside regular expressions. A pattern that times out does not match. The match is repeated if the process got too
 * little CPU time for it, as on a busy machine.
 */
export function matchesWhole(pattern: string, value: string): boolean {
  let whole = patterns.get(pattern);
  if (whole === undefined) patterns.set(pattern, (whole = new RegExp(`^(?:${pattern})$`, 'u')));
  context ??= createContext({});
  Object.assign(context, { whole, value });
  const before = process.cpuUsage();
  try {
    for (let tries = 0; tries <= TRIES; tries += 1) {
      const isMatch = tryOnce(context);
      if (isMatch !== undefined) return isMatch;
      const { user, system } = process.cpuUsage(before);
      if (user + system >= MILLISECONDS * 1_000) break;
    }
    return false;
  } finally {
    Object.assign(context, { whole: undefined, value: undefined });
  }
}

/** Undefined after a timeout. */
function tryOnce(prepared: Context): boolean | undefined {
  try {
    return test.runInContext(prepared, { timeout: MILLISECONDS }) === true;
  } catch {
    return undefined;
  }
}
