import { type TemplateFor } from '../template.js';

/** A status page is read regularly; a problem is reported by email. */
export const healthCheck: TemplateFor = ({ email }) => ({
  name: 'Health check with email',
  description: 'Reads a status page every 15 minutes, and sends you an email when it reports a problem.',
  needs: {},
  trigger: { type: 'SCHEDULE', config: { cron: '*/15 * * * *', timezone: 'UTC' } },
  actions: [
    {
      name: 'check',
      kind: 'HTTP_REQUEST',
      // The format of every page of Statuspage.
      config: { method: 'GET', url: 'https://www.githubstatus.com/api/v2/status.json' },
    },
    {
      name: 'has problem',
      kind: 'CONDITION',
      config: { path: 'steps.check.body.status.indicator', operator: 'not_equals', value: 'none' },
    },
    {
      name: 'email',
      kind: 'SEND_EMAIL',
      config: {
        to: [email],
        subject: '{{ steps.check.body.page.name }} reports a problem',
        text: '{{ steps.check.body.status.description }}\n\n{{ steps.check.body.page.url }}',
      },
    },
  ],
  sample: { scheduled_for: '2026-01-01T00:00:00.000Z' },
});
