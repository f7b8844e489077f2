import { type Clock } from '../clock.js';
import { type Database } from '../db/database.js';
import { AppError } from '../errors.js';
import { textFault } from '../validation.js';
import { emailFault } from './email-address.js';
import { type InvitationService } from './invitation.service.js';
import { insertCredential } from './new-user.js';
import { type Identity } from './oidc-protocol.js';

/** Why somebody whom the issuer knows may not come in. */
export class NotAdmittedError extends Error {
  override readonly name = 'NotAdmittedError';

  constructor(readonly reason: 'email_not_verified' | 'not_invited') {
    super(reason);
  }
}

/** Who may come in by OIDC: users, and who was invited. An address counts only when the issuer has verified it. */
export class OidcUsers {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly invitations: InvitationService,
  ) {}

  /** The user that an identity is, made of an invitation where there is one. @returns the uuid. @throws NotAdmittedError. */
  async admit(identity: Identity): Promise<string> {
    const { issuer, subject, email, emailVerified } = identity;
    const known = await this.bySubject(identity);
    if (known !== undefined) return known;
    if (email === undefined || !emailVerified) throw new NotAdmittedError('email_not_verified');
    // No user has another one, and lower case makes some letters into those of somebody else's, e.g. the Kelvin sign.
    if (emailFault(email) !== undefined) throw new NotAdmittedError('not_invited');
    const [user] = await this.db.query<{ id: string }>(`SELECT id FROM users WHERE email = $1`, [email.toLowerCase()]);
    if (user === undefined) return this.accept(identity, email);
    await insertCredential(this.db, user.id, { issuer, subject }, this.clock.now());
    // Of two at once, the first one's is the one that counts.
    return (await this.bySubject(identity))!;
  }

  private async bySubject({ issuer, subject }: Identity): Promise<string | undefined> {
    const [credential] = await this.db.query<{ id: string }>(
      `SELECT user_id AS id FROM user_credentials WHERE provider = $1 AND subject = $2`,
      [issuer, subject],
    );
    return credential?.id;
  }

  private async accept({ issuer, subject, name }: Identity, email: string): Promise<string> {
    const invitation = await this.invitations.findByEmail(email);
    if (invitation === undefined) throw new NotAdmittedError('not_invited');
    const called = textFault(name, 1, 255) === undefined ? name! : email.split('@', 1)[0]!;
    try {
      return await this.invitations.use(invitation, called, { issuer, subject });
    } catch (error) {
      if (error instanceof AppError) throw new NotAdmittedError('not_invited');
      throw error;
    }
  }
}
