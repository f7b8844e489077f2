import { type AppError, validationError } from '../../platform/errors.js';

/** The maximum of users and open invitations of an account, together: mails about the account go to all users. */
export const MAX_PEOPLE = 1_000;

/** SQL: true while an account has a place for an invitation to an address. The arguments are SQL too. */
export function hasPlace(accountId: string, email: string, now: string): string {
  return `(SELECT count(*) FROM (SELECT 1 FROM users WHERE account_id = ${accountId} LIMIT ${MAX_PEOPLE}) u)
    + (SELECT count(*) FROM (
         SELECT 1 FROM invitations WHERE account_id = ${accountId} AND email <> ${email} AND expires_at > ${now}
         LIMIT ${MAX_PEOPLE}) i) < ${MAX_PEOPLE}`;
}

/** The error for an invitation beyond the limit. */
export function tooManyPeople(): AppError {
  const most = MAX_PEOPLE.toLocaleString('en');
  const message = `can't be invited: the account has ${most} users and open invitations, the most that it may have`;
  return validationError({ field: 'email', message });
}
