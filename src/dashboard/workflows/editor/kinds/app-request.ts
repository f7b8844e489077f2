import { IconPlugConnected } from '@tabler/icons-react';
import { AppRequestFields } from './app-request-fields.js';
import { type KindDefinition, textOf } from './define-kind.js';
import { readRequest, writeRequest } from './request-values.js';

/** A request to a connected application. */
export const appRequest: KindDefinition = {
  kind: 'APP_REQUEST',
  label: 'App request',
  icon: IconPlugConnected,
  explains: 'Calls an application that you have connected; its credentials are added for you.',
  name: 'app',
  keys: ['integration_id', 'method', 'path', 'headers', 'body'],
  read: (config) => {
    const { texts, rows } = readRequest(config);
    const integrationId = textOf(config.integration_id);
    return {
      texts: { ...texts, method: texts.method || 'GET', path: textOf(config.path), integration_id: integrationId },
      rows,
    };
  },
  write: (values) => {
    const { integration_id: integrationId = '', path = '' } = values.texts;
    const { config, faults } = writeRequest(values);
    return {
      config: { integration_id: integrationId, path: path.trim(), ...config },
      faults: integrationId === '' ? { ...faults, 'config.integration_id': 'must be chosen' } : faults,
    };
  },
  summary: ({ texts: { method = '', path = '' } }) => (path === '' ? '' : `${method} ${path}`),
  Fields: AppRequestFields,
};
