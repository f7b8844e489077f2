import { suggestionsFor } from '../../../src/dashboard/workflows/editor/values/suggestions.js';

describe('the values that an action can use', () => {
  it('begin with the body of a response, before status and headers', () => {
    const output = { status: 200, headers: { date: 'today' }, body: { id: 7 } };
    const run = { id: 'run_1', input: {}, triggerId: null, triggerType: 'MANUAL', steps: [{ name: 'call', output }] };
    const paths = suggestionsFor([{ name: 'call', kind: 'HTTP_REQUEST' }], [], run).map(({ path }) => path);
    expect(paths.filter((path) => path.startsWith('steps.call.'))).toEqual([
      'steps.call.body',
      'steps.call.body.id',
      'steps.call.status',
      'steps.call.headers',
      'steps.call.headers.date',
    ]);
  });
});
