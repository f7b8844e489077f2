import { type TemplateFor } from '../template.js';

/** A new issue becomes a task. */
export const issueToTodoist: TemplateFor = () => ({
  name: 'GitHub issue to Todoist task',
  description: 'When an issue is opened in GitHub, Todoist gets a task with a link to it.',
  needs: { github: 'GitHub', todoist: 'Todoist' },
  trigger: {
    type: 'APP_EVENT',
    config: { event: 'issues', integration_id: 'github', filter: { action: 'opened' } },
  },
  actions: [
    {
      name: 'task',
      kind: 'APP_REQUEST',
      config: {
        integration_id: 'todoist',
        method: 'POST',
        path: '/tasks',
        body: {
          content: '{{ trigger.body.repository.full_name }}: {{ trigger.body.issue.title }}',
          description: '{{ trigger.body.issue.html_url }}',
        },
      },
    },
  ],
  sample: {
    action: 'opened',
    issue: { title: 'The total is wrong', html_url: 'https://github.com/acme/shop/issues/7' },
    repository: { full_name: 'acme/shop' },
  },
});
