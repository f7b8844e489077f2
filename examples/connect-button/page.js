import { flowEnd, startFlow } from './connect.js';

const element = (id) => document.getElementById(id);

/** What the page says in each state: a mark, a text, the button's word. `busy`: a flow is under way. */
const STATES = {
  loading: { mark: 'One moment …' },
  idle: { mark: 'Not connected', go: 'Connect' },
  starting: { mark: 'Starting …', busy: true },
  waiting: { mark: 'Waiting for you', text: 'Answer in the window that has opened.', go: 'Show it', busy: true },
  blocked: { mark: 'Waiting for you', text: 'Your browser held the window back. Open it yourself:', busy: true },
  closed: {
    mark: 'Window closed?',
    text: 'This page no longer sees the window. If you closed it without an answer, open it again.',
    go: 'Open again',
    busy: true,
  },
  offline: { mark: 'Connection lost', text: 'Reconnecting. Your answer is not lost.', busy: true },
  connected: { mark: 'Connected' },
  denied: { mark: 'Not connected', text: 'You did not allow access, so nothing was stored.', go: 'Try again' },
  timedOut: { mark: 'Not connected', text: 'Ten minutes passed without an answer.', go: 'Start again' },
  expired: { mark: 'Not connected', text: 'This took too long, and the page lost track of it.', go: 'Start again' },
  failed: { mark: 'Not connected', text: 'That did not work.', go: 'Try again' },
};
const REASONS = { access_denied: 'denied', authorization_timed_out: 'timedOut' };

/** The flow under way: its window, and how to end it. */
let flow;

function show(state, { text = STATES[state].text ?? '', mark = STATES[state].mark } = {}) {
  const { go, busy = false } = STATES[state];
  element('connection').dataset.state = state;
  element('mark').textContent = mark;
  element('text').textContent = text;
  element('go').textContent = go ?? '';
  element('go').hidden = go === undefined;
  element('cancel').hidden = !busy;
  element('open').hidden = state !== 'blocked';
  element('more').hidden = text === '' && !busy;
  element('spoken').textContent = `${mark}. ${text}`;
}

const showConnected = ({ account }) =>
  show('connected', { text: account ? `As ${account.name ?? account.id}.` : 'Acme Notes can use it now.' });

/** Must be called by a click, and before anything is awaited: later a browser would block the window. */
function openWindow(address = '') {
  return window.open(address, 'connect', 'popup,width=520,height=760');
}

async function ours(method, path) {
  const answer = await fetch(path, { method });
  if (!answer.ok) throw new Error('Acme Notes could not reach its connections. Try again shortly.');
  return answer.json();
}

async function connect() {
  const ending = new AbortController();
  const mine = (flow = { window: openWindow(), ending });
  show('starting');
  const watch = setInterval(() => refresh(mine), 300);
  try {
    // A session for each flow: none is old when it is needed.
    const session = await ours('POST', '/session');
    const started = await startFlow(session);
    if (ending.signal.aborted) return;
    lead(mine, started.redirect_url);
    refresh(mine);
    const onFailures = (failures) => refresh(Object.assign(mine, { failures }));
    await showEnd(await flowEnd(session, started, { signal: ending.signal, onFailures }));
  } catch (error) {
    if (!ending.signal.aborted) await showFault(error);
  } finally {
    clearInterval(watch);
    mine.window?.close();
    if (flow === mine) flow = undefined;
  }
}

function lead(mine, address) {
  mine.address = element('open').href = address;
  mine.window?.location.replace(address);
}

/**
 * What there is to say while we wait. `closed` proves nothing: applications can cut their window off from its opener.
 */
function refresh(mine) {
  if (flow !== mine || mine.address === undefined) return;
  const state = mine.failures > 0 ? 'offline' : !mine.window ? 'blocked' : mine.window.closed ? 'closed' : 'waiting';
  if (element('connection').dataset.state !== state) show(state);
}

function showEnd(integration) {
  // After a reconnect that failed the integration is still connected, with the reason.
  if (integration.status === 'connected' && !integration.status_reason) return showConnected(integration);
  const state = REASONS[integration.status_reason] ?? 'failed';
  const text = state === 'failed' ? `That did not work (${integration.status_reason}).` : undefined;
  show(state, { text });
}

async function showFault(error) {
  if (error.status !== 401) return show('failed', { text: error.message });
  // The session is over, so the page may not ask any more; our backend may.
  const connection = await ours('GET', '/connection').catch(() => null);
  if (connection) showConnected(connection);
  else show('expired');
}

element('go').addEventListener('click', () => {
  if (!flow) return void connect();
  if (flow.window && !flow.window.closed) return flow.window.focus();
  flow.window = openWindow(flow.address);
  refresh(flow);
});
element('cancel').addEventListener('click', () => {
  flow?.ending.abort();
  flow?.window?.close();
  flow = undefined;
  show('idle');
});

try {
  const connection = await ours('GET', '/connection');
  if (connection) showConnected(connection);
  else show('idle');
} catch (error) {
  show('failed', { text: error.message });
}
