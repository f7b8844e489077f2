import { type Client } from '../support/http/client.js';

/**
 * The first result of a subscription over SSE, or the refusal of its request; undefined for a stream that began and then
 * said nothing. A refusal follows the beginning at once.
 */
export async function firstEvent(
  client: Client,
  query: string,
  variables: Record<string, unknown>,
  silenceMs = 2_000,
): Promise<{ status: number; data?: any; errors?: any[] } | undefined> {
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  try {
    const response = await fetch(`${client.baseUrl}/graphql/stream`, {
      method: 'POST',
      signal: abort.signal,
      headers: {
        ...client.always,
        ...(client.key === undefined ? {} : { authorization: `Bearer ${client.key}` }),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ query, variables }),
    });
    timer = setTimeout(() => abort.abort(), silenceMs);
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const data = /^data: (.+)$/m.exec(text)?.[1] ?? (text.startsWith('{') ? text : undefined);
      if (data !== undefined) return { status: response.status, ...JSON.parse(data) };
    }
    return undefined;
  } catch (error) {
    if (abort.signal.aborted) return undefined;
    throw error;
  } finally {
    clearTimeout(timer);
    abort.abort();
  }
}
