import { type Path } from './path.js';
import { isOnePlaceholder, parseTemplate, type Template } from './template.js';

/** What placeholders can reach: gives the JSON value at a path, undefined where there is none. */
export type RenderScope = (path: Path) => unknown;

/** Why a step's config could not be rendered. The message names the path; it holds no value. */
export class RenderError extends Error {
  override readonly name = 'RenderError';

  constructor(
    readonly code: 'missing_path' | 'too_large',
    message: string,
  ) {
    super(message);
  }
}

/** What a rendered config may weigh as JSON, in bytes. */
export const MAX_RENDERED_BYTES = 1_048_576;

export interface RenderOptions {
  /** Of the result as JSON, in UTF-8. Counted before anything of that size is made. */
  maxBytes: number;
  /** Applied to the text of each placeholder's value, e.g. `encodeURIComponent`; the result is then always a text. */
  encode?: (text: string) => string;
}

/** Counts JSON bytes down and throws before the limit is passed. */
export class Budget {
  constructor(private left: number) {}

  /** A limit for one more text: it has at least a byte for each code unit. */
  get codeUnits(): number {
    return this.left;
  }

  take(bytes: number): void {
    this.left -= bytes;
    if (this.left < 0) throw tooLarge();
  }

  takeText(text: string): void {
    if (text.length > this.left) throw tooLarge();
    this.take(Buffer.byteLength(JSON.stringify(text)));
  }

  /** The brackets and commas of a list, or of an object, whose keys have a colon each. */
  takeBrackets(entries: number, isObject: boolean): void {
    this.take(2 + Math.max(0, entries - 1) + (isObject ? entries : 0));
  }
}

/**
 * The value of a template: of exactly one placeholder its value, type and all (not a copy), else a text in which texts
 * stand as they are and every other value as JSON. @throws RenderError
 */
export function renderTemplate(template: Template, scope: RenderScope, options: RenderOptions): unknown {
  return render(template, scope, new Budget(options.maxBytes), options.encode);
}

/** A config with every text in it rendered; keys stay as they are, in their order. @throws RenderError */
export function renderConfig(config: unknown, scope: RenderScope, maxBytes: number): unknown {
  const budget = new Budget(maxBytes);
  return map(config, budget, (text) => render(parseTemplate(text), scope, budget));
}

function map(value: unknown, budget: Budget, onText: (text: string) => unknown): unknown {
  if (typeof value === 'string') return onText(value);
  if (value === null || typeof value !== 'object') return measured(value, budget);
  if (Array.isArray(value)) {
    budget.takeBrackets(value.length, false);
    return value.map((inner) => map(inner, budget, onText));
  }
  const entries = Object.entries(value);
  budget.takeBrackets(entries.length, true);
  // fromEntries defines own properties, also of the name `__proto__`.
  return Object.fromEntries(
    entries.map(([key, inner]) => {
      budget.takeText(key);
      return [key, map(inner, budget, onText)];
    }),
  );
}

function render(template: Template, scope: RenderScope, budget: Budget, encode?: (text: string) => string): unknown {
  if (isOnePlaceholder(template) && encode === undefined) return measured(valueAt(scope, template[0]), budget);
  let text = '';
  for (const part of template) {
    const piece = typeof part === 'string' ? part : pieceOf(valueAt(scope, part), budget.codeUnits, encode);
    if (text.length + piece.length > budget.codeUnits) throw tooLarge();
    text += piece;
  }
  budget.takeText(text);
  return text;
}

function pieceOf(value: unknown, maxLength: number, encode: (text: string) => string = (text) => text): string {
  // Percent-encoding throws on lone surrogates, which a posted JSON may hold.
  if (typeof value === 'string') return encode(value.toWellFormed());
  return encode(JSON.stringify(measured(value, new Budget(maxLength))));
}

function valueAt(scope: RenderScope, path: Path): unknown {
  const value = scope(path);
  if (value === undefined) throw new RenderError('missing_path', `There is no ${path.join('.')}.`);
  return value;
}

/** Gives a JSON value back after its bytes were taken; stops at the limit, however large the value is. */
export function measured<T>(value: T, budget: Budget): T {
  if (typeof value === 'string') budget.takeText(value);
  else if (value === null || typeof value !== 'object') budget.take(String(value).length);
  else if (Array.isArray(value)) {
    // Not by entries, which take a hundred times the memory of a list of numbers.
    budget.takeBrackets(value.length, false);
    for (const inner of value) measured(inner, budget);
  } else {
    const entries = Object.entries(value);
    budget.takeBrackets(entries.length, true);
    for (const [key, inner] of entries) {
      budget.takeText(key);
      measured(inner, budget);
    }
  }
  return value;
}

function tooLarge(): RenderError {
  return new RenderError('too_large', 'The rendered config of the step is too large.');
}
