import { defineApp } from '../../app.js';
import { GOOGLE_ACCOUNT, googleSignIn } from '../../google-sign-in.js';

/** The account is the Google account (`sub`), shown by its e-mail address. */
export const googleCalendar = defineApp({
  type: 'google_calendar',
  name: 'Google Calendar',
  documentationUrl: 'https://developers.google.com/identity/protocols/oauth2/web-server',
  verified: true,
  auth: googleSignIn('calendar'),
  apiBaseUrl: 'https://www.googleapis.com/calendar/v3',
  identity: GOOGLE_ACCOUNT,
});
