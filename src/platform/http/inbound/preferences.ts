import { type IncomingMessage } from 'node:http';

/** Whether a request wants unknown names to be refused: `Prefer: handling=strict` (RFC 7240, 4.4). */
export function wantsStrictNames({ headers: { prefer } }: IncomingMessage): boolean {
  const preferences = [prefer ?? []].flat().join(',').split(',');
  const handling = preferences.map((one) => one.split(';', 1)[0]!.trim()).find((one) => /^handling\s*=/i.test(one));
  return handling !== undefined && /=\s*(?:strict|"strict")$/i.test(handling);
}
