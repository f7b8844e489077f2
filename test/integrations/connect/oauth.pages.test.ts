import { callbackPage, errorPage, startPage } from '../../../src/features/integrations/connect/oauth.pages.js';

const message = { integration_id: 'int_01', status: 'connected' };

describe('the callback page', () => {
  it('names the integration, its status and the only origin that receives them', () => {
    const page = callbackPage({ outcome: 'connected', appName: 'Acme', message, targetOrigin: 'https://app.example' });
    expect(page).toContain('data-integration-id="int_01"');
    expect(page).toContain('data-status="connected"');
    expect(page).toContain('data-target-origin="https://app.example"');
    expect(page).toContain('Acme is connected');
  });

  it('posts no message when the state belongs to no flow', () => {
    const page = callbackPage({ outcome: 'unknown_state', targetOrigin: 'https://app.example' });
    expect(page).not.toContain('data-');
    expect(page).toContain('no longer valid');
  });

  it('refuses to post to every origin', () => {
    expect(() => callbackPage({ outcome: 'connected', message, targetOrigin: '*' })).toThrow(TypeError);
  });

  it('shows the reason of a failure', () => {
    const page = callbackPage({ outcome: 'failed', appName: 'Acme', reason: 'exchange_failed', message });
    expect(page).toContain('<code>exchange_failed</code>');
  });

  it.each(['connected', 'denied', 'failed', 'unknown_state'] as const)(
    'has no inline script or style when %s',
    (outcome) => {
      const page = callbackPage({
        outcome,
        appName: '<script>x</script>',
        message,
        targetOrigin: 'https://app.example',
      });
      expect(page.match(/<script(?! src=")/g)).toBeNull();
      expect(page).not.toMatch(/<style|style="|\son\w+="/);
    },
  );
});

describe('the start page', () => {
  const page = startPage({
    appName: 'Acme',
    scopes: ['a.read'],
    label: '<b>"mine"</b>',
    action: '/connect/abc?x="',
    csrf: 'tok',
  });

  it('changes state only by a posted form', () => {
    expect(page).toContain('<form method="post" action="/connect/abc?x=&quot;"');
    expect(page).toContain('name="csrf" value="tok"');
    expect(page).not.toMatch(/http-equiv|<script/);
  });

  it('escapes names from the client', () => {
    expect(page).toContain('&lt;b&gt;&quot;mine&quot;&lt;/b&gt;');
  });
});

describe('the error page', () => {
  it('says what is wrong', () => {
    expect(errorPage({ title: 'No such page', detail: 'It <ended>.' })).toContain('It &lt;ended&gt;.');
  });
});
