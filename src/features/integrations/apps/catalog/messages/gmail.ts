import { defineApp } from '../../app.js';
import { GOOGLE_ACCOUNT, googleSignIn } from '../../google-sign-in.js';

/** Reads, labels and sends mail. The account is the Google account (`sub`), shown by its e-mail address. */
export const gmail = defineApp({
  type: 'gmail',
  name: 'Gmail',
  documentationUrl: 'https://developers.google.com/identity/protocols/oauth2/web-server',
  verified: true,
  auth: googleSignIn('gmail.modify'),
  apiBaseUrl: 'https://gmail.googleapis.com/gmail/v1',
  identity: GOOGLE_ACCOUNT,
});
