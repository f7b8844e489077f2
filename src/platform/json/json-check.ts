import { isSpace } from './json-depth.js';

/** What may follow at the current place of a JSON text. */
const enum Next {
  Value,
  /** After `[`. */
  ValueOrEnd,
  Name,
  /** After `{`. */
  NameOrEnd,
  Colon,
  /** After a value: a comma or the end of its list or object, or, outside of any, the end of the text. */
  Rest,
  /** Inside of a string: that of a value, or a name. */
  String,
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const LETTER_U = 0x75;
const FIRST_PRINTABLE = 0x20;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;

/**
 * Checks that a text is JSON (RFC 8259) as JSON.parse does, without the memory that its values would take, and in parts:
 * a megabyte of small objects parses in 30 ms, and leaves twenty megabytes to collect. It takes a few milliseconds per
 * megabyte.
 */
export class JsonCheck {
  private at = 0;
  private next = Next.Value;
  /** Whether each open container is an object. */
  private readonly open: boolean[] = [];
  private isName = false;

  /** A text with more than so many levels is `deep`; `[]` and `{}` are one level each. */
  constructor(
    private readonly text: string,
    private readonly levels: number,
  ) {}

  /** Checks so many further characters, and the rest of a number. @returns undefined until the result is known. */
  advance(characters: number): 'valid' | 'invalid' | 'deep' | undefined {
    const { text } = this;
    const until = Math.min(text.length, this.at + characters);
    while (this.at < until) {
      if (this.next === Next.String) {
        if (!this.passString(until)) return 'invalid';
        continue;
      }
      const code = text.charCodeAt(this.at);
      if (isSpace(code)) this.at += 1;
      else if (!this.pass(code)) return 'invalid';
      else if (this.open.length > this.levels) return 'deep';
    }
    if (this.at < text.length) return undefined;
    return this.next === Next.Rest && this.open.length === 0 ? 'valid' : 'invalid';
  }

  /** Passes the next sign, number or word, or the quote that opens a string. @returns false where it must not be. */
  private pass(code: number): boolean {
    switch (this.next) {
      case Next.Value:
        return this.passValue(code);
      case Next.ValueOrEnd:
        return code === CLOSING_BRACKET ? this.close(false) : this.passValue(code);
      case Next.Name:
        return code === QUOTE && this.openString(true);
      case Next.NameOrEnd:
        return code === CLOSING_BRACE ? this.close(true) : code === QUOTE && this.openString(true);
      case Next.Colon:
        return code === COLON && this.step(Next.Value);
      default:
        if (code === COMMA) return this.open.length > 0 && this.step(this.open.at(-1)! ? Next.Name : Next.Value);
        return code === CLOSING_BRACE ? this.close(true) : code === CLOSING_BRACKET && this.close(false);
    }
  }

  private passValue(code: number): boolean {
    if (code === QUOTE) return this.openString(false);
    if (code === OPENING_BRACE) return this.open.push(true) > 0 && this.step(Next.NameOrEnd);
    if (code === OPENING_BRACKET) return this.open.push(false) > 0 && this.step(Next.ValueOrEnd);
    this.next = Next.Rest;
    return this.passToken(NUMBER) || this.passToken(WORD);
  }

  private passToken(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return false;
    this.at = pattern.lastIndex;
    return true;
  }

  private close(isObject: boolean): boolean {
    return this.open.pop() === isObject && this.step(Next.Rest);
  }

  private openString(isName: boolean): boolean {
    this.isName = isName;
    return this.step(Next.String);
  }

  private step(next: Next): true {
    this.at += 1;
    this.next = next;
    return true;
  }

  /** Passes the characters of a string up to a place, and its quote. @returns false for one that must not be in it. */
  private passString(until: number): boolean {
    const { text } = this;
    let { at } = this;
    for (; at < until; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.at = at;
        return this.step(this.isName ? Next.Colon : Next.Rest);
      }
      if (code < FIRST_PRINTABLE) return false;
      if (code === BACKSLASH) {
        ESCAPE.lastIndex = at;
        if (!ESCAPE.test(text)) return false;
        at += text.charCodeAt(at + 1) === LETTER_U ? 5 : 1;
      }
    }
    this.at = at;
    return true;
  }
}
