import { type Meanings } from '../../../platform/word-list.js';
import { type OpenApi } from './document.js';
import { type ExampleObject, type Examples } from './examples.js';
import { type JsonSchema } from './json-schema.js';

/** What each noun's `data` leaves out of the object that REST shows. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  run: ['steps', 'input_omitted', 'trigger_headers', 'trigger_query'],
  workflow: ['failure_notice_after'],
  trigger: ['webhook_url', 'unreadable'],
  integration: ['renews', 'events_url', 'blocked_until'],
  wait: ['answer_omitted'],
};

/** How the example of an event differs from that of its type. */
const CHANGES: Readonly<Record<string, ExampleObject>> = {
  'run.failed': { status: 'failed', error: { code: 'http_404', message: 'shop.example answered with status 404.' } },
  'run.canceled': { status: 'canceled' },
  'run.waiting': { status: 'waiting', finished_at: null },
  'wait.answered': {
    status: 'answered',
    answer: { decision: 'approved', comment: null, by: 'ada@example.com' },
    answered_by: 'ada@example.com',
    answered_at: '2026-11-21T14:32:00.000Z',
  },
  'wait.expired': { status: 'expired' },
  'wait.canceled': { status: 'canceled' },
  'workflow.failing': { failures: 3, last_run_id: 'run_01kagrx8040000000000000000' },
  'workflow.recovered': { failures: 3, last_run_id: 'run_01kagrx8040000000000000000' },
  'trigger.updated': { status: 'paused' },
  'integration.pending': { status: 'pending', connected_at: null, status_reason: 'awaiting_authorization' },
  'integration.expiring': { expires_at: '2026-11-28T09:05:00.000Z' },
  'integration.expired': { status: 'expired', version: 2, status_reason: 'token_expired' },
  'integration.disconnected': { status: 'disconnected', version: 2, status_reason: 'disconnected_by_user' },
  'integration.deleted': { status: 'disconnected', version: 3, status_reason: 'deleted' },
};

/** What the `data` of an event has beside the object that it is about. */
const STREAK = {
  failures: {
    type: 'integer',
    description:
      'How many runs had failed in a row at the notice; a recovery repeats it, and later failures are not counted.',
  },
  last_run_id: { type: 'string', description: 'The run that ended last.' },
} as const;
const ADDED: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>> = {
  'workflow.failing': STREAK,
  'workflow.recovered': STREAK,
};

/** A schema of an object with its fields. */
interface ObjectSchema {
  description: string;
  properties: Readonly<Record<string, JsonSchema>>;
  required: readonly string[];
}

/** What `POST /webhooks/{id}/test` sends. */
const TEST_EVENT = 'webhook.test';
const AT = '2026-11-21T14:30:01.000Z';
const TIMESTAMP =
  'When it happened: later with each change of the same workflow, trigger or integration, so that it orders these events.';
const HEADERS = [
  ['webhook-id', 'The same in each attempt and each repetition: drop a message whose id you have seen.'],
  ['webhook-timestamp', 'When it was sent, in seconds since 1970.'],
  ['webhook-signature', 'Signatures as Standard Webhooks writes them, with a space between: one of them must fit.'],
  ['workflow-hops', 'How many runs of the service led to it, in a row.'],
] as const;

/** Adds to a finished document what is posted to webhooks: `webhooks`, an operation for each event. */
export function describeWebhooks(document: OpenApi, meanings: Meanings, { types }: Examples): void {
  const schemas = document.components.schemas!;
  for (const [noun, without] of Object.entries(LEFT_OUT)) {
    const { properties, required, description } = schemas[pascal(noun)] as unknown as ObjectSchema;
    const kept = Object.entries(properties).filter(([key]) => !without.includes(key));
    schemas[dataOf(noun)] = {
      description,
      type: 'object',
      properties: Object.fromEntries(kept),
      required: required.filter((key) => !without.includes(key)),
    };
  }
  const events = Object.entries(meanings).map(([type, meaning]) => {
    const noun = type.split('.', 1)[0]!;
    const added = ADDED[type] ?? {};
    const example = Object.fromEntries(
      Object.entries({ ...types.get(pascal(noun)), ...CHANGES[type] }).filter(
        ([key]) => key in added || isShown(schemas, noun, key),
      ),
    );
    return [type, operation(type, meaning, dataWith(schemas, noun, added), example)] as const;
  });
  const id = types.get('Webhook')!.id;
  const test = {
    type: 'object',
    properties: { webhook_id: { type: 'string' } },
    required: ['webhook_id'],
  };
  document.webhooks = Object.fromEntries([
    ...events,
    [TEST_EVENT, operation(TEST_EVENT, 'A client asked for a test; it is sent once.', test, { webhook_id: id })],
  ]);
}

/** The schema of the object that an event is about, with what the event adds to it. */
function dataWith(
  schemas: Record<string, JsonSchema>,
  noun: string,
  added: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  if (Object.keys(added).length === 0) return ref(dataOf(noun));
  const { properties, required, ...object } = schemas[dataOf(noun)] as unknown as ObjectSchema;
  return {
    ...object,
    properties: { ...properties, ...added },
    required: [...required, ...Object.keys(added)],
  };
}

function isShown(schemas: Record<string, JsonSchema>, noun: string, key: string): boolean {
  return key in (schemas[dataOf(noun)]!.properties as object);
}

function operation(type: string, meaning: string, data: JsonSchema, example: ExampleObject): JsonSchema {
  const [summary, ...rest] = meaning.split(/(?<=[.;]) /);
  return {
    post: {
      operationId: pascal(type.replace('.', '_')),
      tags: ['webhooks'],
      summary: summary!.replace(/[.;]$/, ''),
      description: [...rest, 'Posted to each webhook that asks for it, signed as Standard Webhooks says.'].join(' '),
      security: [],
      parameters: HEADERS.map(([name, description]) => ({
        name,
        in: 'header',
        description,
        required: true,
        schema: { type: 'string' },
      })),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                type: { type: 'string', const: type },
                timestamp: { description: TIMESTAMP, type: 'string', format: 'date-time' },
                data,
              },
              required: ['type', 'timestamp', 'data'],
            },
            example: { type, timestamp: AT, data: example },
          },
        },
      },
      responses: {
        '2XX': { description: 'Taken. Any other answer is a failure, and the event comes again.' },
        '410': { description: 'Nothing is to come any more: the webhook is disabled.' },
      },
    },
  };
}

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const dataOf = (noun: string): string => `${pascal(noun)}EventData`;

function pascal(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
