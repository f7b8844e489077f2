/**
 * The same text with another character in its middle: of the same form and length, and never valid by chance. The last
 * character would not do: in base64 some of its bits are unused.
 */
export function wrongSecret(secret: string): string {
  const middle = Math.floor(secret.length / 2);
  return secret.slice(0, middle) + (secret[middle] === '0' ? '1' : '0') + secret.slice(middle + 1);
}
