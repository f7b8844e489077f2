import { LONG_BYTES } from '../../../platform/admission/long-work.js';
import { exceedsContainers, exceedsDepth, exceedsMembers } from '../../../platform/json/json-depth.js';
import { MAX_ANSWER_DEPTH } from '../../../platform/http/outbound/outbound-response.js';
import { LargeJson, tooManyMembers } from './json-of.js';
import { type Path, resolvePath } from './path.js';
import { RenderError } from './render-error.js';
import { valuesIn } from './values-in.js';

/** A response with more objects and lists stays a text: parsed, it would take far more memory than the text. */
const MAX_PARSED_CONTAINERS = 20_000;
/** The same for members that are costly (`exceedsMembers`): parsed, they would take far more time than the text. */
export const MAX_PARSED_MEMBERS = 20_000;

/** Whether the JSON text of a response has too much in it to be parsed. */
export function hasTooMuch(text: string): boolean {
  return exceedsContainers(text, MAX_PARSED_CONTAINERS) || exceedsMembers(text, MAX_PARSED_MEMBERS);
}

/**
 * Reads values at these paths, which lead into one text of a run: the output of the step `name`, or, without a name, a
 * part of what fired the run. The reader throws RenderError for a value that cannot be read.
 */
export function readerOf(name: string | null | symbol, text: string, paths: readonly Path[]): (path: Path) => unknown {
  const inText = (path: Path): Path => path.slice(2);
  const read = typeof name === 'string' ? outputReader(name, JSON.parse(text)) : inputReader(text, paths.map(inText));
  return (path) => read(inText(path));
}

/**
 * Reads values at these paths in the JSON text of what fired a run; one with too many members is only there as a whole.
 * Of a long text only the values at the paths are parsed.
 */
function inputReader(text: string, paths: readonly Path[]): (path: Path) => unknown {
  if (exceedsMembers(text, MAX_PARSED_MEMBERS)) {
    return (path) => {
      if (path.length > 0) throw tooManyMembers('The body of the trigger');
      return new LargeJson(text);
    };
  }
  if (text.length > LONG_BYTES) return valuesIn(text, paths);
  const parsed: unknown = JSON.parse(text);
  return (path) => resolvePath(parsed, path);
}

/**
 * Reads values at paths in the output of a step, below `steps.<name>`; undefined where there is none. The reader throws
 * RenderError `too_large` for what was cut off, and inside of JSON that stayed a text: it must not count as missing.
 */
function outputReader(name: string, output: unknown): (path: Path) => unknown {
  const { body, truncated } = (output ?? {}) as { body?: unknown; truncated?: unknown };
  if (typeof body !== 'string') return (path) => resolvePath(output, path);
  let isLarge: boolean | undefined;
  return (path) => {
    const [part, ...rest] = path;
    if (truncated === true && (part === undefined || part === 'body' || !Object.hasOwn(output as object, part)))
      throw tooLarge(`The output of the step "${name}" is too large and was cut`);
    if (part === 'body' && rest.length > 0 && (isLarge ??= isLargeJson(body)))
      throw tooLarge(`The body of the step "${name}" has too many objects and lists, members or levels`);
    return resolvePath(output, path);
  };
}

/** Whether a text is JSON that `http-step.ts` does not parse. */
function isLargeJson(text: string): boolean {
  return /^\s*[[{]/.test(text) && (hasTooMuch(text) || exceedsDepth(text, MAX_ANSWER_DEPTH));
}

function tooLarge(what: string): RenderError {
  return new RenderError('too_large', `${what}: the value cannot be read.`);
}
