/**
 * The sample input of a workflow that was created from a template in this tab; undefined without one. `workflows/editor/begun.ts`
 * stores it under this key. That folder shows triggers, so triggers cannot import it.
 */
export function sampleInputOf(workflowId: string): unknown {
  const text = sessionStorage.getItem(`begun:${workflowId}`);
  return text === null ? undefined : (JSON.parse(text) as { sample?: unknown }).sample;
}
