/** `webhookUrl` in REST's spelling: `webhook_url`. */
export function toRestName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * A dotted path of GraphQL names in REST's spelling. Below `config` and other free objects the names are the client's.
 */
export function toRestPath(path: string): string {
  const parts = path.split('.');
  const free = parts.findIndex((part) => FREE.has(part));
  return parts.map((part, index) => (free >= 0 && index > free ? part : toRestName(part))).join('.');
}

/** Fields that hold the client's own JSON. */
const FREE = new Set(['config', 'credentials', 'parameters', 'input']);
