import { type Client } from 'urql';
import { ConnectIntegrationDocument, DeleteIntegrationDocument } from '../../integrations/connect.generated.js';
import { connectionOfType, createFromTemplate, mutate } from './create-from-template.js';
import { exampleFor, SANDBOX } from './example.js';
import { type Template } from './template.js';
import { ExampleNeedsDocument } from './templates.generated.js';

/** Creates the example with a name that no workflow has, and with the sandbox connected. @throws CombinedError */
export async function createExample(client: Client, email: string): Promise<{ id: string; template: Template }> {
  const { name: stem } = exampleFor({ email, sandbox: true });
  const needs = { type: SANDBOX.type, name: stem };
  const { data, error } = await client.query(ExampleNeedsDocument, needs, { requestPolicy: 'network-only' });
  if (data === undefined) throw error!;
  const template = exampleFor({ email, sandbox: data.integrationTypes.items.length > 0 });
  const name = freeName(stem, new Set(data.workflows.items.map((workflow) => workflow.name)));
  let connected: string | undefined;
  const connectionOf = async (type: string): Promise<string> => {
    const known = await connectionOfType(client, type);
    if (known !== undefined) return known;
    const { connectIntegration } = await mutate(client, ConnectIntegrationDocument, { input: SANDBOX });
    if (connectIntegration.__typename !== 'Integration') throw new Error('The sandbox has not connected at once.');
    return (connected = connectIntegration.id);
  };
  try {
    const making = { name, description: template.description, activates: true, connectionOf };
    const { id } = await createFromTemplate(client, template, making);
    return { id, template };
  } catch (failure) {
    if (connected !== undefined) await client.mutation(DeleteIntegrationDocument, { id: connected }).toPromise();
    throw failure;
  }
}

/** `Example`, `Example 2`, `Example 3`, … */
function freeName(stem: string, taken: ReadonlySet<string>): string {
  let name = stem;
  for (let number = 2; taken.has(name); number += 1) name = `${stem} ${number}`;
  return name;
}
