/** The parts of a header `traceparent`. */
export interface TraceParent {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads the header of W3C Trace Context; undefined for a missing or malformed one. */
export function parseTraceparent(text: string | string[] | undefined): TraceParent | undefined {
  if (typeof text !== 'string' || text.length > 512) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = FORM.exec(text) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (parseInt(flags, 16) & 1) === 1 };
}

/** The header of a span. */
export function writeTraceparent({ traceId, spanId, isSampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-0${isSampled ? 1 : 0}`;
}
