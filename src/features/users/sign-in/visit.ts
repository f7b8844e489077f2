import { type ServerResponse } from 'node:http';
import { type PersonCaller } from '../../../platform/context.js';
import { type Asker, type SignedIn } from './sign-in.js';

/** One request below `/auth`. */
export interface Visit extends Asker {
  response: ServerResponse;
  /** The value of `:token` in the path. */
  token: string;
  body: Readonly<Record<string, unknown>>;
}

/** Handles one route. @returns the body of the response. */
export type AuthHandler = (visit: Visit) => Promise<unknown>;

/** Handlers by path below `/auth/` and method. */
export type AuthRoutes = Readonly<Record<string, Partial<Record<'GET' | 'POST', AuthHandler>>>>;

/** What routes of other folders need of the router. */
export interface RouteTools {
  /** The signed-in person. Rejects with `unauthorized` without one. */
  person: (visit: Visit) => Promise<PersonCaller>;
  /** Sets the cookies of a sign-in. @returns the body of the response. */
  answer: (visit: Visit, signedIn: SignedIn) => object;
  /** Counts a failure as an attempt to guess. */
  guarded: <T>(visit: Visit, work: () => Promise<T>) => Promise<T>;
}
