// An account of a small company: connections, workflows, real runs, and copies of them over a month.
import { fillThePast } from './past.mjs';
import { workflows } from './workflows.mjs';

export async function fillWithDemo({ server, graphql, baseUrl }) {
  const crm = await connectByOAuth(graphql, { label: 'Acme CRM', lifetime: 5184000, refresh: 'yes' });
  const desk = await connectByOAuth(graphql, {
    label: 'Support desk',
    lifetime: 3600,
    refresh: 'yes',
    account: 'grace',
  });
  const accounting = await connectByOAuth(graphql, { label: 'Accounting', lifetime: 691200, refresh: 'no' });
  await connectByKey(graphql, 'Warehouse');
  // Besides an hour, the sandbox's shortest lifetime is eight days; only connections that end within seven are shown as
  // needing attention.
  await server.db.query(`UPDATE integrations SET expires_at = now() + interval '3 days' WHERE name = 'Accounting'`);
  const made = [];
  for (const workflow of workflows({ crm, desk })) made.push(await makeWorkflow(graphql, workflow));
  const key = await graphql(`
    mutation {
      createApiKey(input: { label: "Backend", scope: READ_WRITE }) {
        apiKey {
          id
        }
      }
    }
  `).catch(() => undefined);
  await allOver(graphql);
  await fillThePast(server.db, made);
  return { crm, desk, accounting, workflows: made, key, baseUrl };
}

async function connectByOAuth(graphql, { label, lifetime, refresh, account = 'ada' }) {
  const { connectIntegration: flow } = await graphql(
    `
      mutation ($label: String) {
        connectIntegration(input: { type: "sandbox_oauth", label: $label }) {
          ... on IntegrationAuthorization {
            redirectUrl
            integrationId
          }
        }
      }
    `,
    { label },
  );
  const page = new URL(flow.redirectUrl);
  const answers = { decision: 'grant', account, lifetime: String(lifetime), refresh };
  const body = new globalThis.URLSearchParams([...page.searchParams, ...Object.entries(answers)]);
  await globalThis.fetch(page.origin + page.pathname, { method: 'POST', body });
  const { integration } = await graphql(
    `
      query ($id: ID!) {
        integration(id: $id) {
          status
        }
      }
    `,
    { id: flow.integrationId },
  );
  if (integration.status !== 'CONNECTED') throw new Error(`${label} is ${integration.status}.`);
  return flow.integrationId;
}

async function connectByKey(graphql, label) {
  await graphql(
    `
      mutation ($label: String) {
        connectIntegration(
          input: { type: "sandbox_api_key", label: $label, credentials: { api_key: "sandbox_valid_key" } }
        ) {
          __typename
        }
      }
    `,
    { label },
  );
}

/** Creates a workflow with its trigger, and runs it once with each of its inputs. */
async function makeWorkflow(graphql, { name, description, actions, trigger, inputs, status = 'ACTIVE', perDay }) {
  const { createWorkflow } = await graphql(
    `
      mutation ($input: CreateWorkflowInput!) {
        createWorkflow(input: $input) {
          id
        }
      }
    `,
    { input: { name, description, status: status === 'PAUSED' ? 'ACTIVE' : status } },
  );
  const { id } = createWorkflow;
  await graphql(
    `
      mutation ($id: ID!, $actions: [ActionInput!]!) {
        setWorkflowActions(workflowId: $id, actions: $actions) {
          id
        }
      }
    `,
    { id, actions },
  );
  const createTrigger = `mutation ($input: CreateTriggerInput!) { createTrigger(input: $input) { id } }`;
  if (trigger !== undefined) await graphql(createTrigger, { input: { workflowId: id, ...trigger } });
  if (inputs.length > 0) await graphql(createTrigger, { input: { workflowId: id, type: 'MANUAL' } });
  for (const input of inputs) {
    await graphql(
      `
        mutation ($id: ID!, $input: JSON) {
          runWorkflow(workflowId: $id, input: $input) {
            id
          }
        }
      `,
      { id, input },
    );
  }
  if (status === 'PAUSED') {
    await graphql(
      `
        mutation ($id: ID!) {
          updateWorkflow(id: $id, input: { status: PAUSED }) {
            id
          }
        }
      `,
      { id },
    );
  }
  return { id, perDay };
}

/** Waiting until no run is queued or running. */
async function allOver(graphql) {
  for (;;) {
    const { queued, running } = await graphql(`
      {
        queued: runs(status: QUEUED, perPage: 1) {
          items {
            id
          }
        }
        running: runs(status: RUNNING, perPage: 1) {
          items {
            id
          }
        }
      }
    `);
    if (queued.items.length + running.items.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
