import { parsePath, type Path, PathError } from './path.js';

/** A parsed text: unescaped literal texts, never two in a row, and the paths of placeholders. */
export type Template = readonly (string | Path)[];

/** What is wrong with a template, and at which `position` (UTF-16 code units, from 0). The message quotes no text. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';

  constructor(
    reason: string,
    readonly position: number,
  ) {
    super(`${reason} (placeholder at position ${position})`);
  }
}

/**
 * Parses placeholders such as `{{ trigger.body.order.id }}`; `\{{` is a literal `{{`, and a lone `}}` is literal. Takes
 * time linear in the text. @throws TemplateError for anything else between braces, and for braces that don't close.
 */
export function parseTemplate(text: string): Template {
  const parts: (string | Path)[] = [];
  let literal = '';
  let from = 0;
  for (let open = text.indexOf('{{'); open !== -1; open = text.indexOf('{{', from)) {
    if (text[open - 1] === '\\') {
      literal += `${text.slice(from, open - 1)}{{`;
      from = open + 2;
      continue;
    }
    const close = text.indexOf('}}', open + 2);
    if (close === -1) throw new TemplateError('"{{" must be closed by "}}", or written \\{{ when it is meant', open);
    literal += text.slice(from, open);
    if (literal !== '') parts.push(literal);
    literal = '';
    parts.push(placeholderPath(text.slice(open + 2, close), open));
    from = close + 2;
  }
  literal += text.slice(from);
  if (literal !== '') parts.push(literal);
  return parts;
}

function placeholderPath(content: string, position: number): Path {
  try {
    return parsePath(content.trim());
  } catch (error) {
    if (error instanceof PathError) throw new TemplateError(error.message, position);
    throw error;
  }
}

/** True for one placeholder with nothing around it: such a text renders to the value itself, with its type. */
export function isOnePlaceholder(template: Template): template is readonly [Path] {
  return template.length === 1 && typeof template[0] !== 'string';
}

/** The whole text of a template without placeholders, or undefined when it has any. */
export function literalText(template: Template): string | undefined {
  const [first = '', ...rest] = template;
  return rest.length === 0 && typeof first === 'string' ? first : undefined;
}
