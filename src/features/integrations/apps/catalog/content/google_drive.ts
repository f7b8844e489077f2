import { defineApp } from '../../app.js';
import { GOOGLE_ACCOUNT, googleSignIn } from '../../google-sign-in.js';

/** All files of the user. The account is the Google account (`sub`), shown by its e-mail address. */
export const googleDrive = defineApp({
  type: 'google_drive',
  name: 'Google Drive',
  documentationUrl: 'https://developers.google.com/identity/protocols/oauth2/web-server',
  verified: true,
  auth: googleSignIn('drive'),
  apiBaseUrl: 'https://www.googleapis.com/drive/v3',
  identity: GOOGLE_ACCOUNT,
});
