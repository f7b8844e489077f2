import { IsOptional, Max, Min } from 'class-validator';
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { DateTime, JsonObject } from '../../../platform/graphql/scalars.js';
import { IsText } from '../../../platform/validation.js';

/** How long a session lives unless told, in seconds. */
export const DEFAULT_EXPIRES_IN = 1_800;

@InputType({ description: 'What the session fixes; what it leaves open, the browser may choose when it connects.' })
export class CreateConnectSessionInput {
  @Field(() => String, { nullable: true, description: 'The integration type to connect. Left out: any.' })
  type?: string | null;

  @Field(() => ID, { nullable: true, description: 'The integration to reconnect, in the place of a new one.' })
  integrationId?: string | null;

  @Field(() => String, { nullable: true, description: 'A name for people, 1 to 255 characters. Default: the type.' })
  @IsOptional()
  @IsText(1, 255)
  label?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      "The client's own id of whom the connection belongs to, 1 to 255 characters. Give it where you go by it: otherwise the browser may.",
  })
  @IsOptional()
  @IsText(1, 255)
  reference?: string | null;

  @Field(() => JsonObject, {
    nullable: true,
    description: 'What the integration type asks for, e.g. a subdomain: all of it, or left to the browser.',
  })
  parameters?: Record<string, unknown> | null;

  @Field(() => String, {
    nullable: true,
    description: 'Where the browser goes after the flow: our origin, or a listed one.',
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

/** The only moment at which token and address exist: both are stored as SHA-256. */
@ObjectType('ConnectSession', {
  description: 'Lets a browser that holds no API key make one connection and await it.',
  simpleResolvers: true,
})
export class NewConnectSession {
  @Field(() => ID, { description: 'Begins with `cs_`.' })
  id: string;

  @Field(() => String, {
    description:
      'Begins with `wfs_`. As bearer on every door it may start its flow, await its integration and read the types.',
  })
  token: string;

  @Field(() => String, {
    description: 'The same for a person: a page that can be sent by mail. Opening it changes nothing.',
  })
  connectUrl: string;

  @Field(() => DateTime, { description: 'When token and page end.' })
  expiresAt: Date;
}
