import { type AuthChecker, getMetadataStorage } from 'type-graphql';
import { type Access, type Caller, type RequestContext } from '../context.js';
import { AppError } from '../errors.js';

/** Who may do what: the one authorization rule. A caller's own account is all it ever reaches; the queries see to that. */
const MAY: Record<Caller['kind'], Record<Access, (caller: Caller) => boolean>> = {
  key: {
    read: () => true,
    write: (caller) => caller.scope === 'read-write',
    person: () => false,
  },
};

const REASONS: Record<Access, string> = {
  read: 'The key may not read.',
  write: 'The key is read-only: this needs a read-write key.',
  person: 'This needs a person who is signed in: an API key cannot manage keys.',
};

/** @throws AppError `forbidden`. */
export function demand(caller: Caller, access: Access): void {
  if (!MAY[caller.kind][access](caller)) throw new AppError('forbidden', REASONS[access]);
}

/** TypeGraphQL's checker: each root field names its access in `@Authorized`. */
export const authChecker: AuthChecker<RequestContext, Access> = ({ context }, roles) => {
  for (const access of roles) demand(context.caller, access);
  return true;
};

/** The access that a root field demands, from its `@Authorized`; undefined when it names none, which a test forbids. */
export function accessOf(rootField: string): Access | undefined {
  const storage = getMetadataStorage();
  const fields = [...storage.queries, ...storage.mutations, ...storage.subscriptions];
  return fields.find(({ schemaName }) => schemaName === rootField)?.roles?.[0] as Access | undefined;
}
