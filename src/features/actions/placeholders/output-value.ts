import { exceedsContainers, exceedsDepth } from '../../../platform/json/json-depth.js';
import { MAX_ANSWER_DEPTH } from '../../../platform/http/outbound/outbound-response.js';
import { type Path, resolvePath } from './path.js';
import { RenderError } from './render.js';

/** A response with more objects and lists stays a text: parsed, it would take far more memory than the text. */
export const MAX_PARSED_CONTAINERS = 20_000;

/**
 * Reads values at paths in the output of a step, below `steps.<name>`; undefined where there is none. The reader throws
 * RenderError `too_large` for what was cut off, and inside of JSON that stayed a text: it must not count as missing.
 */
export function outputReader(name: string, output: unknown): (path: Path) => unknown {
  const { body, truncated } = (output ?? {}) as { body?: unknown; truncated?: unknown };
  if (typeof body !== 'string') return (path) => resolvePath(output, path);
  let isLarge: boolean | undefined;
  return (path) => {
    const [part, ...rest] = path;
    if (truncated === true && (part === undefined || part === 'body' || !Object.hasOwn(output as object, part)))
      throw tooLarge(`The output of the step "${name}" is too large and was cut`);
    if (part === 'body' && rest.length > 0 && (isLarge ??= isLargeJson(body)))
      throw tooLarge(`The body of the step "${name}" has too many objects and lists, or levels`);
    return resolvePath(output, path);
  };
}

/** Whether a text is JSON that `http-step.ts` does not parse. */
function isLargeJson(text: string): boolean {
  return (
    /^\s*[[{]/.test(text) && (exceedsContainers(text, MAX_PARSED_CONTAINERS) || exceedsDepth(text, MAX_ANSWER_DEPTH))
  );
}

function tooLarge(what: string): RenderError {
  return new RenderError('too_large', `${what}: the value cannot be read.`);
}
