/** Markup that is inserted without escaping: of `html`, or rendered by `npm run build` from files of this repository. */
export class Html {
  constructor(readonly text: string) {}
}

/** A value that `html` renders; strings and numbers are escaped. */
export type HtmlValue = string | number | Html | readonly HtmlValue[] | false | null | undefined;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function render(value: HtmlValue): string {
  if (value === false || value === null || value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(render).join('');
  // The type is not enforced at run time: an object that only looks like markup is escaped like any text.
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- that text may be [object Object]
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/**
 * Markup from a template. Values are escaped for text and quoted attributes; nested `html` and lists of it are inserted
 * unchanged; `false`, `null` and `undefined` are omitted. Never put a value into an unquoted attribute or a `<script>`.
 */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(render)));
}
