import { type KindDefinition, textOf } from './define-kind.js';
import { HttpRequestFields } from './http-request-fields.js';
import { readRequest, writeRequest } from './request-values.js';
import { IconWorld } from '../../../ui/icons/icons.js';

/** A request to any address. */
export const httpRequest: KindDefinition = {
  kind: 'HTTP_REQUEST',
  label: 'HTTP request',
  icon: IconWorld,
  explains: 'Calls any URL, e.g. your own service.',
  help: 'httpRequest',
  name: 'request',
  keys: ['method', 'url', 'headers', 'body'],
  read: (config) => {
    const { texts, rows } = readRequest(config);
    return { texts: { ...texts, method: texts.method || 'GET', url: textOf(config.url) }, rows };
  },
  write: (values) => {
    const { config, faults } = writeRequest(values);
    return { config: { ...config, url: (values.texts.url ?? '').trim() }, faults };
  },
  summary: ({ texts: { method = '', url = '' } }) => (url === '' ? '' : `${method} ${url}`),
  Fields: HttpRequestFields,
};
