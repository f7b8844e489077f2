/** The parts of a webhook trigger's config that its posts depend on. */
type HookConfig = Record<string, unknown>;

/** A shell command that posts `body` to a webhook trigger, signed if its config has a secret. */
export function hookCurl(url: string, { secret, signature_header: named }: HookConfig, body: unknown): string {
  const text = inShell(JSON.stringify(body));
  if (typeof secret !== 'string') {
    return `curl -X POST ${url} \\\n  -H 'Content-Type: application/json' \\\n  -d ${text}`;
  }
  const header = typeof named === 'string' ? named : 'X-Signature-256';
  return [
    `BODY=${text}`,
    `curl -X POST ${url} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -H "${header}: sha256=$(printf '%s' "$BODY" | openssl dgst -sha256 -hmac ${inShell(secret)} | sed 's/^.* //')" \\`,
    `  -d "$BODY"`,
  ].join('\n');
}

/** Wraps a text in single quotes, inside which a shell interprets only the quote itself. */
function inShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
