import { IsOptional, Max, Min } from 'class-validator';
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { DateTime, JsonObject } from '../../../platform/graphql/scalars.js';
import { IsText } from '../../../platform/validation.js';

/** The default lifetime of a session, in seconds. */
export const DEFAULT_EXPIRES_IN = 1_800;

@InputType({ description: 'The values that the session fixes. The browser may choose the others when it connects.' })
export class CreateConnectSessionInput {
  @Field(() => String, { nullable: true, description: 'The integration type to connect. Left out: any.' })
  type?: string | null;

  @Field(() => ID, { nullable: true, description: 'The integration to reconnect, instead of a new one.' })
  integrationId?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'A name for people, 1 to 255 characters. Default: the type. Not with `integrationId`.',
  })
  @IsOptional()
  @IsText(1, 255)
  label?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      "The client's own id of the connection's owner, 1 to 255 characters. Set it if you rely on it: otherwise the browser may choose it. Not with `integrationId`.",
  })
  @IsOptional()
  @IsText(1, 255)
  reference?: string | null;

  @Field(() => JsonObject, {
    nullable: true,
    description:
      'The parameters of the integration type, e.g. a subdomain. Either all of them, or none: then the browser gives them.',
  })
  parameters?: Record<string, unknown> | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Where the browser is redirected after the flow: a URL of this service or of an origin in CORS_ORIGINS.',
  })
  @IsOptional()
  @IsText(1, 2000)
  returnUrl?: string | null;

  @Field(() => Int, {
    nullable: true,
    defaultValue: DEFAULT_EXPIRES_IN,
    description: 'How long the session lives, 60 to 3600 seconds.',
  })
  @IsOptional()
  @Min(60, { message: 'must be at least 60' })
  @Max(3600, { message: 'must be at most 3600' })
  expiresIn?: number | null;
}

/** The only response with token and URL: both are stored as SHA-256. */
@ObjectType('ConnectSession', {
  description: 'Lets a browser that holds no API key make one connection and await it.',
  simpleResolvers: true,
})
export class NewConnectSession {
  @Field(() => ID, { description: 'Begins with `cs_`.' })
  id: string;

  @Field(() => String, {
    description:
      'Begins with `wfs_`. As bearer token in every API it may start the flow, await the integration and read the integration types.',
  })
  token: string;

  @Field(() => String, {
    description: 'A page that does the same for a person. The link can be sent by mail: opening it changes nothing.',
  })
  connectUrl: string;

  @Field(() => DateTime, { description: 'When token and page expire.' })
  expiresAt: Date;
}
