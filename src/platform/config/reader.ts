import { withoutTrailingSlashes } from '../trailing-slashes.js';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { VARIABLES, type VariableName } from './variables.js';
import { isMailAddress } from '../mail/mail-address.js';

/** Environment variables by name, shaped like `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The sender of a mail. */
export interface Mailbox {
  readonly name: string | undefined;
  readonly address: string;
}

/** Reads variables one by one and collects the errors, so that all are reported at once. */
export class Reader {
  readonly faults: string[] = [];

  constructor(private readonly env: Environment) {}

  fault(name: string, problem: string): void {
    this.faults.push(`${name}: ${problem}.`);
  }

  /** An empty variable counts as absent, as shells and compose files make them. */
  text(name: VariableName): string {
    return this.env[name] || VARIABLES.find((variable) => variable.name === name)!.default;
  }

  isSet(name: VariableName): boolean {
    return Boolean(this.env[name]);
  }

  integer(name: VariableName, min: number, max: number): number {
    const text = this.text(name);
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      this.fault(name, `"${text}" is not a whole number from ${min} to ${max}`);
    }
    return value;
  }

  /** A number of processes; `auto` is the number of cores that this process may use. */
  processes(name: VariableName, max: number): number {
    const text = this.text(name);
    if (text === 'auto') return Math.min(availableParallelism(), max);
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < 1 || value > max) {
      this.fault(name, `"${text}" is neither auto nor a whole number from 1 to ${max}`);
    }
    return value;
  }

  oneOf(name: VariableName, values: readonly string[]): string {
    const text = this.text(name);
    if (!values.includes(text)) this.fault(name, `"${text}" is none of ${values.join(', ')}`);
    return text;
  }

  list<T extends string>(name: VariableName, valid: (item: string) => item is T, expected: string): T[] {
    const items = this.text(name)
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
    const good = items.filter(valid);
    const isEmpty = items.length === 0 && this.text(name) !== '';
    if (good.length < items.length || isEmpty) this.fault(name, `expected ${expected}`);
    return good;
  }

  url(name: VariableName, absent: string): string {
    const text = withoutTrailingSlashes(this.env[name] || absent);
    // The default is derived from another variable: an error there is reported once.
    if (!this.env[name]) return text;
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
      this.fault(name, `"${text}" is not an http or https address without query or fragment`);
    } else if (url.pathname !== '/') {
      this.fault(name, 'a path is not supported: give the service a host name of its own');
    }
    return text;
  }

  optional(name: VariableName, valid: (text: string) => boolean, expected: string): string | undefined {
    const text = this.env[name];
    if (!text) return undefined;
    // The value may be a secret, so the message does not repeat it.
    if (!valid(text)) this.fault(name, `expected ${expected}`);
    return text;
  }

  /** `Name <address>`, or an address alone. */
  mailbox(name: VariableName, absent: string): Mailbox {
    const text = this.text(name) || absent;
    const [, quoted = '', address = text.trim()] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
    const known = quoted.trim().replace(/^"(.*)"$/, '$1');
    // The default is derived from another variable: it is not validated again.
    if (this.text(name) !== '' && (!isMailAddress(address) || /\p{Cc}/u.test(known))) {
      this.fault(name, `"${text}" is not a mail address, or a name with one in angle brackets`);
    }
    return { name: known === '' ? undefined : known, address };
  }

  keys(name: VariableName, required: boolean): Buffer[] {
    const texts = this.text(name)
      .split(',')
      .map((text) => text.trim())
      .filter((text) => text !== '');
    const keys = texts.map((text) => Buffer.from(text, 'base64'));
    if (keys.some((key, index) => key.length !== 32 || key.toString('base64') !== padded(texts[index]!))) {
      this.fault(name, 'each key must be 32 bytes in base64, e.g. of `openssl rand -base64 32`');
    }
    if (required && keys.length === 0) {
      this.fault(name, 'required with DATABASE_URL; make one with `openssl rand -base64 32` and keep it');
    }
    return keys;
  }

  file(name: VariableName): string | undefined {
    const path = this.env[name];
    if (!path) return undefined;
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      this.fault(name, `cannot read "${path}" (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`);
      return undefined;
    }
  }

  /** Signing secrets by the upper-case type. The applications validate which types have one. */
  signingSecrets(): Map<string, string> {
    const secrets = Object.entries(this.env).map(([name, value]) => {
      const type = /^([A-Z0-9_]+)_SIGNING_SECRET$/.exec(name)?.[1];
      return type !== undefined && value ? [[type, value] as const] : [];
    });
    return new Map(secrets.flat());
  }

  clients(): Map<string, { clientId: string; clientSecret: string }> {
    const clients = new Map<string, { clientId: string; clientSecret: string }>();
    for (const [name, value] of Object.entries(this.env)) {
      const match = /^([A-Z0-9_]+)_CLIENT_(ID|SECRET)$/.exec(name);
      // Not an app: these credentials are for sign-in.
      if (!match || !value || match[1] === 'OIDC') continue;
      const type = match[1]!;
      const other = this.env[`${type}_CLIENT_${match[2] === 'ID' ? 'SECRET' : 'ID'}`];
      if (!other) this.fault(name, `set ${type}_CLIENT_${match[2] === 'ID' ? 'SECRET' : 'ID'} too, or neither`);
      else
        clients.set(type, {
          clientId: this.env[`${type}_CLIENT_ID`]!,
          clientSecret: this.env[`${type}_CLIENT_SECRET`]!,
        });
    }
    return clients;
  }
}

function padded(base64: string): string {
  return base64.padEnd(Math.ceil(base64.length / 4) * 4, '=');
}
