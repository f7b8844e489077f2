import { type OpenApi } from '../../../src/transports/rest/openapi/document.js';

interface WebhookOperation {
  summary: string;
  description: string;
  requestBody: { content: { 'application/json': { example: unknown } } };
}

/** Every event that webhooks are told of, with an example of its body. */
export function eventBodies({ webhooks }: OpenApi): string {
  const events = Object.entries(webhooks as Readonly<Record<string, { post: WebhookOperation }>>);
  return events
    .map(([type, { post }]) => {
      const { example } = post.requestBody.content['application/json'];
      return `### \`${type}\`\n\n${post.summary}.\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``;
    })
    .join('\n\n');
}
