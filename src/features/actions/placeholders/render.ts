import { jsonOf } from './json-of.js';
import { type Path } from './path.js';
import { RenderError } from './render-error.js';
import { isOnePlaceholder, parseTemplate, type Template } from './template.js';

/** Resolves placeholders: returns the JSON value at a path, undefined if there is none. */
export type RenderScope = (path: Path) => unknown;

/** The maximum size of a rendered config as JSON, in bytes. */
export const MAX_RENDERED_BYTES = 1_048_576;

/** How to render one template. */
export interface RenderOptions {
  /** The limit of the result as JSON in UTF-8, checked before anything of that size is allocated. */
  maxBytes: number;
  /** Encodes the text of each placeholder's value, e.g. `encodeURIComponent`. The result is then always a text. */
  encode?: (text: string) => string;
}

/** Counts JSON bytes down. @throws RenderError `too_large` before the limit is exceeded. */
export class Budget {
  constructor(private left: number) {}

  /** The maximum length of one more text: each code unit takes at least a byte. */
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

  /** Takes the brackets and commas of a list or object; an object has a colon for each key, too. */
  takeBrackets(entries: number, isObject: boolean): void {
    this.take(2 + Math.max(0, entries - 1) + (isObject ? entries : 0));
  }
}

/**
 * The value of a template. A template of exactly one placeholder gives the value itself, not a copy, with its type. Any
 * other gives a text: texts are inserted unchanged, other values as JSON. @throws RenderError
 */
export function renderTemplate(template: Template, scope: RenderScope, options: RenderOptions): unknown {
  return render(template, scope, new Budget(options.maxBytes), options.encode);
}

/** Renders every text of a config. Keys stay unchanged and in order. @throws RenderError */
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
  // fromEntries defines own properties, even one named `__proto__`.
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
  // encodeURIComponent throws on lone surrogates, which posted JSON may contain.
  if (typeof value === 'string') return encode(value.toWellFormed());
  return encode(jsonOf(measured(value, new Budget(maxLength))));
}

function valueAt(scope: RenderScope, path: Path): unknown {
  const value = scope(path);
  if (value === undefined) throw new RenderError('missing_path', `There is no ${path.join('.')}.`);
  return value;
}

/** Returns a JSON value after its bytes were taken from the budget. */
export function measured<T>(value: T, budget: Budget): T {
  if (typeof value === 'string') budget.takeText(value);
  else if (value === null || typeof value !== 'object') budget.take(String(value).length);
  else budget.take(Buffer.byteLength(jsonOf(value)));
  return value;
}

function tooLarge(): RenderError {
  return new RenderError('too_large', 'The rendered config of the step is too large.');
}
