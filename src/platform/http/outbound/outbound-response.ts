import { exceedsDepth } from '../../json/json-depth.js';
import { OutboundError } from './outbound-error.js';

/** The maximum nesting of a JSON response; a deeper one is invalid. */
export const MAX_ANSWER_DEPTH = 200;

/** The headers of a response by name, as undici gives them. */
export type HeaderFields = Readonly<Record<string, string | string[] | undefined>>;

/** A header as one text. */
export function textOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Headers whose repetitions are joined by `, `. */
export function joinValues(fields: HeaderFields): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, textOf(value) ?? '']));
}

/** A complete response, read and decoded, of any status: 3xx too, since redirects are never followed. */
export class OutboundResponse {
  constructor(
    /** The host that responded, for messages. */
    readonly host: string,
    readonly status: number,
    /** Names in lower case; a repeated header has a list. */
    readonly fields: HeaderFields,
    readonly body: Buffer,
    /** Whether `body` is only the beginning: see `OutboundRequest.cut`. */
    readonly isCut = false,
  ) {}

  /** Names in lower case; repeated headers are joined by `, `. */
  get headers(): Record<string, string> {
    return joinValues(this.fields);
  }

  /** The body as UTF-8, without its byte order mark; invalid bytes become U+FFFD. Of a longer one, its first `most` bytes. */
  text(most = Infinity): string {
    return new TextDecoder().decode(this.body.subarray(0, most));
  }

  /** Parses the body. @throws OutboundError `invalid_answer` when it is not JSON or nests deeper than 200 levels. */
  json(): unknown {
    const text = this.text();
    if (exceedsDepth(text, MAX_ANSWER_DEPTH))
      throw new OutboundError('invalid_answer', `The response from ${this.host} is nested too deeply.`);
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw new OutboundError('invalid_answer', `The response from ${this.host} is not JSON.`);
    }
  }
}
