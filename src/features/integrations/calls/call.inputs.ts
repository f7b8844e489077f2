import { IsOptional, Max, Min, ValidateNested } from 'class-validator';
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { Json, JsonObject } from '../../../platform/graphql/scalars.js';
import { IfGiven, IsText } from '../../../platform/validation.js';

@InputType({ description: 'Names a connection by its type and its reference.' })
export class ConnectionSelector {
  @Field(() => String, { description: 'The integration type.' })
  @IsText(1, 255)
  type: string;

  @Field(() => String, { description: "The client's own id of the connection's owner, compared exactly." })
  @IsText(1, 255)
  reference: string;
}

@InputType({ description: 'A request to a connected application.' })
export class CallApplicationInput {
  @Field(() => ID, { nullable: true, description: 'The integration. Either this or `connection`.' })
  integrationId?: string | null;

  @Field(() => ConnectionSelector, {
    nullable: true,
    description:
      'The connected integration of this type and reference; of several, the one that connected last. Either this or `integrationId`.',
  })
  @IsOptional()
  @ValidateNested()
  connection?: ConnectionSelector | null;

  @Field(() => String, {
    defaultValue: 'GET',
    description: 'One of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS.',
  })
  @IsText(1, 7)
  method: string;

  @Field(() => String, {
    description:
      'The path, added to the base URL of the application. It begins with one `/`, may have a query but no `#`, and must not leave the base URL.',
  })
  @IsText(1, Infinity)
  path: string;

  @Field(() => JsonObject, {
    nullable: true,
    description:
      'Parameters to add to the query. Each value is a text, a number, true or false, or a list of these, which repeats the parameter; null leaves it out.',
  })
  query?: Record<string, unknown> | null;

  @Field(() => JsonObject, {
    nullable: true,
    description:
      'Header names and texts. The header with the credentials is replaced. Headers that concern the connection or the length of the body are refused.',
  })
  headers?: Record<string, unknown> | null;

  @Field(() => Json, {
    nullable: true,
    description:
      'Any JSON, which is sent as JSON. A string is sent as plain text if the headers name a `Content-Type` other than JSON. Null sends no body.',
  })
  body?: unknown;

  @Field(() => Int, {
    defaultValue: 0,
    description:
      'How often to call again, 0 to 5, after 429, 5xx, a timeout or a lost connection, and with the pauses of a step; 30 seconds in all.',
  })
  @IfGiven(0)
  @Min(0, { message: 'must be at least 0' })
  @Max(5, { message: 'must be at most 5' })
  @IsOptional()
  retries: number;
}

@ObjectType({ description: 'The response of an application to one call, whatever its status.', simpleResolvers: true })
export class ApplicationResponse {
  @Field(() => ID, { description: 'The integration through which the call was made.' })
  integrationId: string;

  @Field(() => Int, { description: 'The HTTP status.' })
  status: number;

  @Field(() => JsonObject, {
    description:
      'The headers, with names in lower case. A repeated header has a list of its values. `set-cookie` is left out.',
  })
  headers: Record<string, string | string[]>;

  @Field(() => Json, {
    nullable: true,
    description:
      'The parsed JSON of a JSON response, the text of another text, and base64 of anything else; null if it is empty.',
  })
  body: unknown;

  @Field(() => Boolean, {
    description: 'Whether `body` has only the first 1,048,576 bytes. It is then never parsed.',
  })
  truncated: boolean;
}
