import { nodesOf } from '../../platform/graphql/nodes.js';
import { ApiKey } from './api-key.entity.js';
import { type AccountService } from '../accounts/account.service.js';
import { type Feature } from '../../platform/feature.js';
import { type Platform } from '../../platform/platform.js';
import { type UserService } from '../users/user.service.js';
import { ActorResolver } from './actor.resolver.js';
import { ApiKeyResolver } from './api-key.resolver.js';
import { ApiKeyService } from './api-key.service.js';
import { ViewerResolver } from './viewer.resolver.js';

interface Needs {
  accounts: AccountService;
  users: UserService;
}

interface ApiKeys extends Feature {
  service: ApiKeyService;
}

/** Management of keys. Requests are authenticated in `authentication/authentication.ts`. */
export function wireApiKeys({ db, clock, notifications }: Platform, { accounts, users }: Needs): ApiKeys {
  const service = new ApiKeyService(db, clock, notifications);
  return {
    service,
    resolvers: [
      new ViewerResolver(accounts, service, users),
      new ApiKeyResolver(service),
      new ActorResolver(users, service),
    ],
    nodes: [nodesOf(db, { table: 'api_keys', entity: ApiKey, access: 'person' })],
  };
}
