import { html, type Html } from '../../../platform/pages/html.js';
import { renderPage } from '../../../platform/pages/page.js';
import { type App, type AppParameter, type Auth, type AuthKind } from '../apps/app.js';
import { AUTH_WORDS, CREDENTIAL_FIELDS, type CredentialField } from './ways/credential-fields.js';
import { errorPage } from './oauth.pages.js';

const INSTRUCTIONS: Readonly<Record<AuthKind, string>> = {
  oauth2: '',
  api_key: 'Create an API key',
};

/** The page that lists the applications. Each is a plain link: browsing changes nothing. */
export function choicePage({ apps, search }: { apps: readonly App[]; search: string }): string {
  return renderPage({
    title: 'Connect an application',
    width: 'narrow',
    body: html`<section class="card">
      <h1>Connect an application</h1>
      <form method="get" role="search" class="search">
        <input type="search" name="search" value="${search}" aria-label="Search applications" placeholder="Search" />
        <button type="submit">Search</button>
      </form>
      ${
        apps.length === 0
          ? html`<p class="soft">There is no application with “${search}” in its name. <a href="?">Show all</a></p>`
          : html`<ul class="choices">
              ${apps.map((app) => html`<li><a href="?type=${app.type}">${nameAndWay(app)}</a></li>`)}
            </ul>`
      }
    </section>`,
  });
}

function nameAndWay({ name, auths }: App): Html {
  const ways = auths.map(({ kind }) => AUTH_WORDS[kind]).join(' or ');
  return html`<strong>${name}</strong><span>${ways}</span>`;
}

/** The content of the form for one application. */
export interface ConnectForm {
  app: App;
  /** The way that the form is for, and the kinds of all ways to choose from. */
  auth: Auth;
  ways: readonly AuthKind[];
  label: string | undefined;
  /** The parameters that the person must fill in, and the values of the last attempt. */
  parameters: readonly AppParameter[];
  typed: Readonly<Record<string, string>>;
  /** The error of the last attempt. */
  notice: string | undefined;
  /** Whether the person may choose another application. */
  mayChoose: boolean;
}

/**
 * The page that connects one application: a button to its sign-in, or a field for its key. Send with
 * `REDIRECTING_FORM`.
 */
export function connectFormPage(form: ConnectForm): string {
  const { app, auth, ways, label, parameters, typed, notice, mayChoose } = form;
  const fields = CREDENTIAL_FIELDS[auth.kind];
  const byKey = fields.length > 0;
  return renderPage({
    title: `Connect ${app.name}`,
    width: 'narrow',
    body: html`<section class="card">
      <h1>Connect ${app.name}</h1>
      ${notice !== undefined && html`<p class="notice" role="alert">${notice}</p>`}
      <p>
        ${byKey ? whatToPaste(app, auth.kind) : `You go to ${app.name} next. It asks you to sign in and to allow access, then brings you back here.`}
      </p>
      ${facts(auth, label)}
      <form method="post" autocomplete="off">
        <input type="hidden" name="type" value="${app.type}" />
        <input type="hidden" name="auth" value="${auth.kind}" />
        ${parameters.map((parameter) => parameterField(parameter, typed[parameter.name] ?? parameter.default))}
        ${fields.map(credentialField)}
        <p class="actions">
          <button class="primary" type="submit">${byKey ? `Connect ${app.name}` : `Continue to ${app.name}`}</button>
          ${ways
            .filter((kind) => kind !== auth.kind)
            .map(
              (kind) => html`<a class="button quiet" href="?type=${app.type}&amp;auth=${kind}">${AUTH_WORDS[kind]}</a>`,
            )}
          ${mayChoose && html`<a class="button quiet" href="?">Choose another application</a>`}
        </p>
      </form>
      <p class="soft small">
        ${byKey ? 'The key is checked now and stored encrypted.' : `Your password stays with ${app.name}.`} Nothing
        happens until you continue; if you did not request this, close the page.
      </p>
    </section>`,
  });
}

function parameterField({ name, description, choices }: AppParameter, value: string | null): Html {
  const option = (choice: string) =>
    html`<option value="${choice}" ${choice === value && html`selected`}>${choice}</option>`;
  const field =
    choices === null
      ? html`<input
          name="parameter.${name}"
          value="${value}"
          maxlength="255"
          required
          autocapitalize="none"
          spellcheck="false"
        />`
      : html`<select name="parameter.${name}" required>
          ${Object.keys(choices).map(option)}
        </select>`;
  return html`<label class="field">${description} ${field}</label>`;
}

function credentialField({ name, description, secret }: CredentialField): Html {
  return html`<label class="field"
    >${description}
    <input
      type="${secret ? 'password' : 'text'}"
      name="${name}"
      maxlength="4096"
      required
      autocomplete="off"
      autocapitalize="none"
      spellcheck="false"
  /></label>`;
}

function whatToPaste({ name, documentationUrl }: App, kind: AuthKind): Html {
  const where = documentationUrl;
  return html`${INSTRUCTIONS[kind]} at ${name} and paste it
  here.${where !== null && html` <a href="${where}" target="_blank" rel="noreferrer">Where do I find it?</a>`}`;
}

function facts(auth: Auth, label: string | undefined): Html | false {
  const scopes = auth.kind === 'oauth2' ? auth.scopes : [];
  if (label === undefined && scopes.length === 0) return false;
  return html`<dl class="facts">
    ${
      label !== undefined &&
      html`<dt>Connection</dt>
        <dd>${label}</dd>`
    }
    ${
      scopes.length > 0 &&
      html`<dt>Access asked for</dt>
        <dd>${scopes.map((scope, index) => html`${index > 0 && ', '}<code>${scope}</code>`)}</dd>`
    }
  </dl>`;
}

/** What the page of a made connection offers. */
export interface Connected {
  appName: string;
  /** The URL to return to. */
  back?: string | undefined;
  /** Whether the application may be connected again there. */
  mayRepeat?: boolean;
}

/** The page of a connection that was made. */
export function connectedPage({ appName, back, mayRepeat = false }: Connected): string {
  const [backLink, againLink] = [
    back !== undefined && html`<a class="button primary" href="${back}">Go back</a>`,
    mayRepeat && html`<a class="button quiet" href="?again=1">Connect it again</a>`,
  ];
  return renderPage({
    title: `${appName} is connected`,
    width: 'narrow',
    body: html`<section class="card">
      <div class="outcome good" aria-hidden="true">✓</div>
      <h1>${appName} is connected</h1>
      <p>You can close this window.</p>
      ${(backLink || againLink) && html`<p class="actions">${backLink} ${againLink}</p>`}
    </section>`,
  });
}

/** The page of an application that the service has no client for any more. */
export function notOfferedPage(): string {
  return errorPage({
    title: 'This cannot be connected at the moment',
    detail: 'The service is not set up for this application. Ask the sender of the link.',
  });
}

/** The page for an expired session or an unknown ticket. */
export function sessionExpiredPage(): string {
  return errorPage({
    title: 'This link is no longer valid',
    detail: 'It has expired, or was not copied completely. Ask the sender for a new one.',
  });
}
