import { type SignIn } from '../sign-in/sign-in.js';
import { type AuthRoutes, type RouteTools } from '../sign-in/visit.js';
import { type Passkeys } from './passkeys.js';
import { type PasskeySignIn } from './passkey-sign-in.js';

/** The services behind the routes. */
export interface PasskeyServices {
  passkeys: Passkeys;
  passkeySignIn: PasskeySignIn;
  signIn: SignIn;
}

/** The routes of passkeys below `/auth`. */
export function passkeyRoutes(
  { passkeys, passkeySignIn, signIn }: PasskeyServices,
  { person, answer, guarded }: RouteTools,
): AuthRoutes {
  return {
    'sign-in/passkey/start': { POST: () => passkeySignIn.begin() },
    'sign-in/passkey': {
      POST: async (visit) => answer(visit, await guarded(visit, () => passkeySignIn.finish(visit, visit.body))),
    },
    passkeys: {
      GET: async (visit) => ({ passkeys: await passkeys.list(await person(visit)) }),
      POST: async (visit) => {
        await passkeys.add(await person(visit), visit.body);
        return {};
      },
    },
    'passkeys/start': {
      POST: async (visit) => {
        const caller = await person(visit);
        await signIn.confirm(visit, caller, visit.body);
        return passkeys.begin(caller);
      },
    },
    'remove-passkey': {
      POST: async (visit) => {
        await passkeys.remove(await person(visit), visit.body.id);
        return {};
      },
    },
  };
}
