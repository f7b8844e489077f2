import { defineApp } from '../../app.js';
import { GOOGLE_ACCOUNT, googleSignIn } from '../../google-sign-in.js';

/** All spreadsheets of the user. The account is the Google account (`sub`), shown by its e-mail address. */
export const googleSheets = defineApp({
  type: 'google_sheets',
  name: 'Google Sheets',
  documentationUrl: 'https://developers.google.com/identity/protocols/oauth2/web-server',
  verified: true,
  auth: googleSignIn('spreadsheets'),
  apiBaseUrl: 'https://sheets.googleapis.com/v4',
  identity: GOOGLE_ACCOUNT,
});
