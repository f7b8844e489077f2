import { IsOptional, Max, Min } from 'class-validator';
import { ArgsType, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { PageArgs } from '../../platform/db/pages/pagination.js';
import { JsonObject } from '../../platform/graphql/scalars.js';
import { IfGiven, IsText } from '../../platform/validation.js';
import { AuthKind } from './auth-kind.js';
import { IntegrationStatus } from './changes/integration-status.js';
import { wordList } from '../../platform/word-list.js';
import { TEST_REASONS, type TestReason } from './test-reasons.js';

@ArgsType()
export class IntegrationFilter {
  @Field(() => IntegrationStatus, { nullable: true, description: 'Only integrations in this status.' })
  status?: IntegrationStatus | null;

  @Field(() => String, { nullable: true, description: 'Only integrations of this type.' })
  @IsOptional()
  @IsText(0, Infinity)
  type?: string | null;

  @Field(() => String, { nullable: true, description: 'Only integrations with this reference.' })
  @IsOptional()
  @IsText(0, Infinity)
  reference?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Only integrations with this text in name, type, reference or account, ignoring case. At most 255 characters.',
  })
  @IsOptional()
  @IsText(0, 255)
  search?: string | null;

  @Field(() => Boolean, {
    defaultValue: false,
    description:
      'Only integrations that need a person: expired, disconnected because the application refuses the key, or about to expire within 7 days without renewal. Integrations that a person disconnected are not included. False: all integrations.',
  })
  needsAttention: boolean;
}

@ArgsType()
export class GetIntegrationArgs {
  @Field(() => ID)
  id: string;

  @Field(() => Int, {
    nullable: true,
    description: 'Seconds, 1 to 30, to hold the response until the status is no longer `PENDING`.',
  })
  @IsOptional()
  @Min(1, { message: 'must be at least 1' })
  @Max(30, { message: 'must be at most 30' })
  wait?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'With `wait`: hold the response until `version` is greater than this instead.',
  })
  @IsOptional()
  @Min(0, { message: 'must be at least 0' })
  afterVersion?: number | null;
}

@ArgsType()
export class ListIntegrationTypesArgs extends PageArgs {
  @Field(() => Int, { defaultValue: 100, description: 'Items per page, 1 to 100.' })
  declare perPage: number;

  @Field(() => String, { nullable: true, description: 'Only types with this text in type or name, ignoring case.' })
  @IsOptional()
  @IsText(0, Infinity)
  search?: string | null;
}

@InputType({ description: 'The application to connect, and the values that it needs.' })
export class ConnectIntegrationInput {
  @Field(() => String, { description: 'The integration type to connect.' })
  type: string;

  @Field(() => String, { nullable: true, description: 'A name for people, 1 to 255 characters. Default: the type.' })
  @IsOptional()
  @IsText(1, 255)
  label?: string | null;

  @Field(() => AuthKind, {
    nullable: true,
    description:
      'The way to connect, if the type has several. Default: the first way that takes exactly these credentials; without credentials, OAuth if the type has it, else its preferred way.',
  })
  auth?: AuthKind | null;

  @Field(() => JsonObject, {
    nullable: true,
    description: 'The fields of the way to connect, e.g. `{ "api_key": "…" }`. Left out for OAuth.',
  })
  credentials?: Record<string, unknown> | null;

  @Field(() => String, {
    nullable: true,
    description: "The client's own id of the connection's owner, 1 to 255 characters.",
  })
  @IsOptional()
  @IsText(1, 255)
  reference?: string | null;

  @Field(() => JsonObject, { nullable: true, description: 'The parameters of the integration type, e.g. a subdomain.' })
  parameters?: Record<string, unknown> | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Where the browser is redirected after the flow: a URL of this service or of an origin in CORS_ORIGINS.',
  })
  @IsOptional()
  @IsText(1, 2000)
  returnUrl?: string | null;
}

@InputType({ description: 'The fields of an integration to change. Absent fields stay unchanged.' })
export class UpdateIntegrationInput {
  @Field(() => String, { nullable: true, description: 'A name for people, 1 to 255 characters.' })
  @IfGiven()
  @IsText(1, 255)
  name?: string;

  @Field(() => String, {
    nullable: true,
    description: "The client's own id of the connection's owner, 1 to 255 characters. Null clears it.",
  })
  @IsOptional()
  @IsText(1, 255)
  reference?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The secret with which the application signs its events, 1 to 255 characters; for Standard Webhooks, `whsec_` and base64. It is never shown again. Null removes it.',
  })
  @IsOptional()
  @IsText(1, 255)
  eventsSecret?: string | null;
}

@ObjectType({
  description: 'A started OAuth flow: open `redirectUrl` in the user’s browser.',
  simpleResolvers: true,
})
export class IntegrationAuthorization {
  @Field(() => String, { description: "The application's authorization URL." })
  redirectUrl: string;

  @Field(() => ID, { description: 'The integration whose status to await.' })
  integrationId: string;

  @Field(() => String, {
    description: 'A start page of this service, which also binds the flow to the browser. Opening it changes nothing.',
  })
  connectUrl: string;

  @Field(() => Int, { description: 'The current version of the integration. The outcome will have a greater one.' })
  version: number;
}

@ObjectType({
  description: 'The result of asking the application whether the credentials work.',
  simpleResolvers: true,
})
export class IntegrationTest {
  @Field(() => Boolean, { description: 'Whether the application accepted the credentials.' })
  ok: boolean;

  @Field(() => String, {
    nullable: true,
    description: `Why the test failed; null if it succeeded. One of these reasons, or the status reason of a connection that ended during the test.\n\n${wordList(TEST_REASONS)}`,
  })
  reason: TestReason | null;
}
