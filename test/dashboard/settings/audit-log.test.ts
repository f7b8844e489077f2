import { readFileSync } from 'node:fs';
import { AUDIT_ACTIONS } from '../../../src/features/audit-log/audit-action.js';
import { auditCsv } from '../../../src/dashboard/settings/audit-log/audit-csv.js';
import { AUDIT_WORDS, changesInWords } from '../../../src/dashboard/settings/audit-log/audit-words.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { type SignedIn, signedIn } from '../../support/worlds/people.js';
import { axe } from '../support/axe.js';
import { usePages } from '../support/dashboard.js';
import { describeInBrowser } from '../../support/browser/in-browser.js';

describeInBrowser('the page of the audit log', () => {
  let server: TestServer;
  let person: SignedIn;
  const pages = usePages();

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
    person = await signedIn(server, { name: 'Ada' });
    const { body } = await person.client.rest('POST', '/workflows', { body: { name: 'Orders' } });
    await person.client.rest('PUT', `/workflows/${body.id}`, { body: { status: 'active' } });
    await person.client.rest('POST', '/workflows', { body: { name: '=1+1' } });
  });
  afterAll(() => server.close());

  it('shows each change, filters, and saves them as CSV', async () => {
    const { page } = await pages.open(server, { path: '/settings/audit-log', as: person });
    const rows = page.getByRole('table', { name: 'Audit log' }).locator('tbody tr');
    await rows.getByText('Workflow updated · Orders').waitFor();
    expect(await rows.count()).toBe(3);
    await rows.getByText('status: draft → active').waitFor();
    expect(await axe(page)).toEqual([]);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const lines = readFileSync(await (await saving).path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[1]).toContain(`"'=1+1"`);
    expect(lines[2]).toContain('"user"');
    await page.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'Workflow updated' }).click();
    await rows.getByText('=1+1').waitFor({ state: 'detached' });
    expect(await rows.count()).toBe(1);
    await page.goto('/settings/audit-log?resource=nonsense');
    await page.getByText('No entries match these filters.').waitFor();
  });
});

describe('the words of the audit log', () => {
  it('are there for each action', () => {
    expect(Object.keys(AUDIT_WORDS).sort()).toEqual(Object.keys(AUDIT_ACTIONS).sort());
  });

  it('name the fields that changed', () => {
    expect(changesInWords({ a: 1, b: null, c: 'x' }, { a: 1, b: 'y', c: { d: 1 } })).toEqual([
      'b: none → y',
      'c: x → {"d":1}',
    ]);
    expect(changesInWords(null, { a: 1 })).toEqual([]);
    const actions = [
      { name: 'call', kind: 'http_request' },
      { name: 'wait', kind: 'delay' },
    ];
    expect(changesInWords({ actions_version: 'none', actions: [] }, { actions_version: '01a2', actions })).toEqual([
      'actions: none → call, wait',
    ]);
    expect(changesInWords({ events: ['a'] }, { events: ['a', 'b'] })).toEqual(['events: a → a, b']);
  });
});

describe('the export', () => {
  const entry = (name: string) => ({
    id: 'aud_1',
    at: '2026-11-25T00:00:00Z',
    actor: { kind: 'USER' as const, id: 'usr_1', name },
    action: 'workflow.updated',
    resource: { type: 'workflow', id: 'wf_1', name: 'a "b", c' },
    address: null,
    before: null,
    after: { name: 'x' },
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])('lets no spreadsheet execute %j', (name) => {
    expect(auditCsv([entry(name)])).toContain(`"'${name}"`);
  });

  it('quotes each cell', () => {
    const [, row] = auditCsv([entry('Ada')]).split('\r\n');
    expect(row).toBe(
      '"aud_1","2026-11-25T00:00:00Z","user","usr_1","Ada","workflow.updated","workflow","wf_1","a ""b"", c","","","{""name"":""x""}"',
    );
  });
});
