/** Markup that may stand in a page as it is. Only `html` makes it. */
export class Html {
  constructor(readonly text: string) {}
}

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
  // Types can lie: an object that only looks like markup is text like any other.
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- that text may be [object Object]
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/**
 * Markup from a template whose values are escaped for text and for quoted attributes; nested `html` and lists of it go in
 * as they are, `false`, `null` and `undefined` vanish. Never put a value into an unquoted attribute or a `<script>`.
 */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(render)));
}
