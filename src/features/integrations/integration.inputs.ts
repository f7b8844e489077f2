import { IsOptional, Max, Min, ValidateIf } from 'class-validator';
import { ArgsType, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { PageArgs } from '../../platform/db/pagination.js';
import { JsonObject } from '../../platform/graphql/scalars.js';
import { IsText } from '../../platform/validation.js';
import { IntegrationStatus } from './changes/integration-status.js';

@ArgsType()
export class ListIntegrationsArgs extends PageArgs {
  @Field(() => IntegrationStatus, { nullable: true, description: 'Only those in this status.' })
  status?: IntegrationStatus | null;

  @Field(() => String, { nullable: true, description: 'Only those of this integration type.' })
  @IsOptional()
  @IsText(0, Infinity)
  type?: string | null;

  @Field(() => String, { nullable: true, description: 'Only those with this reference.' })
  @IsOptional()
  @IsText(0, Infinity)
  reference?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only those with this text in name, type, reference or account, in any case. At most 255 characters.',
  })
  @IsOptional()
  @IsText(0, 255)
  search?: string | null;

  @Field(() => Boolean, {
    defaultValue: false,
    description:
      'Only those that a person should look at: expired, disconnected because the application refuses the key, or about to expire within 7 days with nothing to renew them. Not those that a person disconnected.',
  })
  needsAttention: boolean;
}

@ArgsType()
export class GetIntegrationArgs {
  @Field(() => ID)
  id: string;

  @Field(() => Int, {
    nullable: true,
    description: 'Seconds, 1 to 30, to hold the answer until the status is another than `PENDING`.',
  })
  @IsOptional()
  @Min(1, { message: 'must be at least 1' })
  @Max(30, { message: 'must be at most 30' })
  wait?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'With `wait`: hold it until `version` is greater than this instead.',
  })
  @IsOptional()
  @Min(0, { message: 'must be at least 0' })
  afterVersion?: number | null;
}

@ArgsType()
export class ListIntegrationTypesArgs {
  @Field(() => Int, { defaultValue: 1, description: 'The page, counted from 1.' })
  @Min(1, { message: 'must be at least 1' })
  page: number;

  @Field(() => Int, { defaultValue: 100, description: 'Items per page, 1 to 100.' })
  @Min(1, { message: 'must be at least 1' })
  @Max(100, { message: 'must be at most 100' })
  perPage: number;

  @Field(() => String, { nullable: true, description: 'Only those with this text in type or name.' })
  @IsOptional()
  @IsText(0, Infinity)
  search?: string | null;
}

@InputType({ description: 'The application to connect, and what it needs for that.' })
export class ConnectIntegrationInput {
  @Field(() => String, { description: 'The integration type to connect.' })
  type: string;

  @Field(() => String, { nullable: true, description: 'A name for people, 1 to 255 characters. Default: the type.' })
  @IsOptional()
  @IsText(1, 255)
  label?: string | null;

  @Field(() => JsonObject, {
    nullable: true,
    description: 'For API-key types: `{ "api_key": "…" }`. Left out for OAuth types.',
  })
  credentials?: Record<string, unknown> | null;

  @Field(() => String, {
    nullable: true,
    description: "The client's own id of whom this belongs to, 1 to 255 characters.",
  })
  @IsOptional()
  @IsText(1, 255)
  reference?: string | null;

  @Field(() => JsonObject, { nullable: true, description: 'What the integration type asks for, e.g. a subdomain.' })
  parameters?: Record<string, unknown> | null;

  @Field(() => String, {
    nullable: true,
    description: 'Where the browser goes after the flow: our origin, or a listed one.',
  })
  @IsOptional()
  @IsText(1, 2000)
  returnUrl?: string | null;
}

const given = (_: unknown, value: unknown): boolean => value !== undefined;

@InputType({ description: 'The fields of an integration to change; those that are absent stay.' })
export class UpdateIntegrationInput {
  @Field(() => String, { nullable: true, description: 'A name for people, 1 to 255 characters.' })
  @ValidateIf(given)
  @IsText(1, 255)
  name?: string;

  @Field(() => String, {
    nullable: true,
    description: "The client's own id of whom this belongs to, 1 to 255 characters. Null clears it.",
  })
  @IsOptional()
  @IsText(1, 255)
  reference?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The secret that the application made to sign its events with, 1 to 255 characters; `whsec_` and base64 where they are signed as Standard Webhooks says. It is never shown again. Null removes it.',
  })
  @IsOptional()
  @IsText(1, 255)
  eventsSecret?: string | null;
}

@ObjectType({
  description: 'An OAuth flow that was started: open `redirectUrl` in the user’s browser.',
  simpleResolvers: true,
})
export class IntegrationAuthorization {
  @Field(() => String, { description: "The application's authorization address." })
  redirectUrl: string;

  @Field(() => ID, { description: 'The integration to await.' })
  integrationId: string;

  @Field(() => String, {
    description: 'Our own start page, which also ties the flow to the browser. Opening it changes nothing.',
  })
  connectUrl: string;

  @Field(() => Int, { description: 'The integration’s version now: the outcome has a greater one.' })
  version: number;
}

@ObjectType({ description: 'What the application said about the credentials just now.', simpleResolvers: true })
export class IntegrationTest {
  @Field(() => Boolean, { description: 'Whether the application accepted the credentials.' })
  ok: boolean;

  @Field(() => String, {
    nullable: true,
    description:
      'A word for why not: `key_refused`, `refresh_refused` (the connection has ended by this), `verification_failed`, `provider_unavailable` (nothing has changed), `unverifiable` (the application offers nothing to ask), `credentials_unreadable`, or the status of an integration that is not connected.',
  })
  reason: string | null;
}
