import { readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ActionKind } from '../../src/features/actions/action-kind.js';
import { actionKinds } from '../../src/features/actions/kinds/index.js';

describe('the list of action kinds', () => {
  it('has each file of its folder once', () => {
    const files = readdirSync(new URL('../../src/features/actions/kinds', import.meta.url)).filter(
      (file) => file !== 'index.ts',
    );
    expect(actionKinds.map(({ kind }) => `${kind}.ts`)).toEqual(files.sort());
  });

  it('has upper-case names in GraphQL', () => {
    expect(ActionKind).toEqual({
      APP_REQUEST: 'app_request',
      CONDITION: 'condition',
      DELAY: 'delay',
      HTTP_REQUEST: 'http_request',
      SEND_EMAIL: 'send_email',
      WAIT_FOR_APPROVAL: 'wait_for_approval',
      WAIT_FOR_CALLBACK: 'wait_for_callback',
      WAIT_FOR_CONNECTION: 'wait_for_connection',
    });
  });
});
