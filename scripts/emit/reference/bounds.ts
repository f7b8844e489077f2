import { type OpenApi } from '../../../src/transports/rest/openapi/document.js';

type Schema = Readonly<Record<string, unknown>>;

interface Documented {
  operationId: string;
  parameters?: readonly { name?: string; schema: Schema }[];
  requestBody?: { content: { 'application/json': { schema: { properties: Readonly<Record<string, Schema>> } } } };
}

/** Reads the bounds that an OpenAPI document names. */
export class Bounds {
  private readonly operations: readonly Documented[];

  constructor(private readonly openApi: OpenApi) {
    this.operations = Object.values(openApi.paths).flatMap((methods) =>
      Object.values(methods),
    ) as unknown as Documented[];
  }

  /** A keyword of the schema of a parameter or body field, e.g. `maximum`. */
  of(operation: string, field: string, keyword: 'minimum' | 'maximum' = 'maximum'): string {
    const { parameters = [], requestBody } = this.operations.find(({ operationId }) => operationId === operation)!;
    const parameter = parameters.find(({ name }) => name === field);
    const schema = parameter?.schema ?? requestBody!.content['application/json'].schema.properties[field]!;
    return Number(schema[keyword]).toLocaleString('en');
  }

  /** The most characters of a header that many operations take. */
  ofHeader(name: string): string {
    return String((this.openApi.components.parameters![name] as { schema: Schema }).schema.maxLength);
  }
}
