/** The parts of a URL that may hold `{name}` placeholders. `host` has no port; `query` starts with `?` or is empty. */
export interface UrlParts {
  scheme: string;
  host: string;
  port: string;
  path: string;
  query: string;
}

/** Stands for an origin that is not known yet. */
export const SAMPLE_ORIGIN = 'https://origin.invalid';

const PLACEHOLDER = /\{([a-z][a-z0-9_]*)\}/g;
const ADDRESS = /^(https?):\/\/(\[[^\]/?#]*\]|[^/?#:]*)(?::([^/?#]*))?(\/[^?#]*)?(\?[^#]*)?$/;

/** The parts of an http(s) URL without fragment; undefined for any other text. */
export function splitUrl(address: string): UrlParts | undefined {
  const match = ADDRESS.exec(address);
  if (!match) return undefined;
  const [, scheme = '', host = '', port = '', path = '', query = ''] = match;
  return { scheme, host, port, path, query };
}

/** The names of the placeholders in a text, in order, each once. */
export function placeholdersIn(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(PLACEHOLDER), ([, name]) => name as string))];
}

/** Replaces each placeholder of a text by `valueOf` of its name. */
export function replacePlaceholders(text: string, valueOf: (name: string) => string): string {
  return text.replace(PLACEHOLDER, (_, name: string) => valueOf(name));
}

/** The name of the placeholder at the beginning of a URL template, where it stands for a whole origin. */
export function originPlaceholder(template: string): string | undefined {
  return /^\{([a-z][a-z0-9_]*)\}(?=[/?]|$)/.exec(template)?.[1];
}

/** The URL template with a value in place of the placeholder at its beginning. Without such a value, unchanged. */
export function withOrigin(template: string, values: Readonly<Record<string, string>>): string {
  const name = originPlaceholder(template);
  if (name === undefined || !Object.hasOwn(values, name)) return template;
  return `${values[name]}${template.slice(name.length + 2)}`;
}

/**
 * Why a URL template is invalid, as the end of a sentence; undefined if every value can be inserted safely. `origins`:
 * the names that may stand for a whole origin.
 */
export function urlTemplateFault(
  template: string,
  declared: ReadonlySet<string>,
  origins: ReadonlySet<string> = new Set(),
): string | undefined {
  const origin = originPlaceholder(template);
  if (origin !== undefined && origins.has(origin))
    return urlTemplateFault(withOrigin(template, { [origin]: SAMPLE_ORIGIN }), declared);
  const scheme = /^[^:/?#]*/.exec(template)?.[0] ?? '';
  const authority = /^[^/]*\/\/([^/?#]*)/.exec(template)?.[1] ?? '';
  if (/[\s\\\p{Cc}]/u.test(template)) return 'must have no space, line break or backslash';
  if (scheme.includes('{')) return 'must have no placeholder in its scheme';
  if (!/^https?:\/\//.test(template)) return 'must start with http:// or https://';
  if (authority.includes('@')) return 'must have no user name or password';
  if (template.includes('#')) return 'must have no fragment (#)';
  const parts = splitUrl(template);
  if (!parts) return 'is not an address';
  if (parts.port.includes('{')) return 'must have no placeholder in its port';
  if (/[{}]/.test(replacePlaceholders(template, () => ''))) return 'has a brace that is not part of a {name}';
  const unknown = placeholdersIn(template).find((name) => !declared.has(name));
  if (unknown !== undefined) return `uses {${unknown}}, which is not in parameters`;
  return hostFault(parts.host) ?? probeFault(template);
}

/** Without a fixed end, a client could have credentials sent to any host. */
function hostFault(host: string): string | undefined {
  const end = host.slice(host.lastIndexOf('}') + 1);
  if (host.includes('{') && !/^[^.]*\.[^.]/.test(end)) return 'must have a host that ends in a fixed name';
  return undefined;
}

function probeFault(template: string): string | undefined {
  const probe = replacePlaceholders(template, () => 'a');
  const url = URL.parse(probe);
  const parts = splitUrl(probe);
  if (!url || !parts || parts.host === '') return 'is not an address';
  if (url.hostname !== parts.host.toLowerCase()) return `must write its host as it is sent: ${url.hostname}`;
  if (url.pathname !== (parts.path || '/')) return `must write its path as it is sent: ${url.pathname}`;
  return undefined;
}
