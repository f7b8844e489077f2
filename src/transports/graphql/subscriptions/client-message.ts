/** A socket message in two parts: the text for graphql-ws, and the payload of a `subscribe`. */
export interface ClientMessage {
  text: string;
  /** Undefined for all types but `subscribe`. */
  payload: object | undefined;
}

/**
 * Takes the payload out of a `subscribe` message, because graphql-ws keeps each message and its text as long as the
 * subscription. The placeholder has the same types, so that the library refuses the same messages.
 */
export function clientMessage(text: string): ClientMessage {
  const message = parsed(text);
  if (message?.type !== 'subscribe') return { text, payload: undefined };
  const { type, id, payload } = message;
  if (!isObject(payload)) return { text: JSON.stringify({ type, id }), payload: undefined };
  return { text: JSON.stringify({ type, id, payload: outlineOf(payload) }), payload };
}

/** Undefined for an invalid message, which the library refuses. */
function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function outlineOf(payload: Record<string, unknown>): object {
  return Object.fromEntries(
    ['query', 'operationName', 'variables', 'extensions']
      .filter((name) => payload[name] !== undefined)
      .map((name) => [name, emptied(payload[name])]),
  );
}

function emptied(value: unknown): unknown {
  if (typeof value === 'string') return '';
  if (Array.isArray(value)) return [];
  return isObject(value) ? {} : value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
