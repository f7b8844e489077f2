import { AppRequestFields } from './app-request-fields.js';
import { isByReference } from './by-reference.js';
import { type Config } from '../draft-action.js';
import { type KindDefinition, textOf, type Written } from './define-kind.js';
import { readDuration, writeDuration } from './duration.js';
import { readRequest, writeRequest } from './request-values.js';
import { IconPlugConnected } from '../../../ui/icons/icons.js';

type Texts = Readonly<Record<string, string>>;

/** A request to a connected application. */
export const appRequest: KindDefinition = {
  kind: 'APP_REQUEST',
  label: 'App request',
  icon: IconPlugConnected,
  explains: 'Calls an application that you have connected; its credentials are added for you.',
  help: 'appRequest',
  name: 'app',
  keys: ['integration_id', 'connection', 'if_missing', 'wait_seconds', 'method', 'path', 'headers', 'body'],
  read: (config) => {
    const { texts, rows } = readRequest(config);
    const request = { ...texts, method: texts.method || 'GET', path: textOf(config.path) };
    return { texts: { ...request, ...readTarget(config) }, rows };
  },
  write: (values) => {
    const { config, faults } = writeRequest(values);
    const target = writeTarget(values.texts);
    return {
      config: { ...target.config, path: (values.texts.path ?? '').trim(), ...config },
      faults: { ...faults, ...target.faults },
    };
  },
  waitPart: ({ texts }) => (isByReference(texts) && texts.if_missing === 'wait' ? 'connect_url' : undefined),
  summary: ({ texts: { method = '', path = '' } }) => (path === '' ? '' : `${method} ${path}`),
  Fields: AppRequestFields,
};

function readTarget({ integration_id: id, connection, if_missing: missing, wait_seconds: seconds }: Config): Texts {
  const { type, reference } = (connection ?? {}) as Config;
  return {
    integration_id: textOf(id),
    connection_as: connection == null ? 'one' : 'reference',
    'connection.type': textOf(type),
    'connection.reference': textOf(reference),
    if_missing: textOf(missing) || 'fail',
    ...readDuration('wait_seconds', seconds ?? 86_400),
  };
}

function writeTarget(texts: Texts): Written {
  if (!isByReference(texts)) {
    const { integration_id: id = '' } = texts;
    return { config: { integration_id: id }, faults: id === '' ? { 'config.integration_id': 'must be chosen' } : {} };
  }
  const type = texts['connection.type'] ?? '';
  const connection = { type, reference: (texts['connection.reference'] ?? '').trim() };
  const waits = texts.if_missing === 'wait';
  return {
    config: { connection, ...(waits && { if_missing: 'wait', ...writeDuration('wait_seconds', texts) }) },
    faults: type === '' ? { 'config.connection.type': 'must be chosen' } : {},
  };
}
