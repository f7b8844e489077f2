import { exceedsDepth } from '../../json/json-depth.js';
import { OutboundError } from './outbound-error.js';

/** The maximum nesting of a JSON response; a deeper one is invalid. */
export const MAX_ANSWER_DEPTH = 200;

/** A complete response, read and decoded, of any status: 3xx too, since redirects are never followed. */
export class OutboundResponse {
  constructor(
    /** The host that responded, for messages. */
    readonly host: string,
    readonly status: number,
    /** Names in lower case; repeated headers are joined by `, `. */
    readonly headers: Record<string, string>,
    readonly body: Buffer,
  ) {}

  /** The body as UTF-8, without its byte order mark; invalid bytes become U+FFFD. */
  text(): string {
    return new TextDecoder().decode(this.body);
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
