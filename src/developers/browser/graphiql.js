import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { GraphiQL } from 'graphiql';
import 'graphiql/style.css';
import { createElement, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import './graphiql.css';
import { EXAMPLES, HEADERS } from './examples.js';
import { authorizationOf, createFetcher } from './fetcher.js';
import { storage } from './storage.js';

const worker = (file) => new Worker(new URL(file, import.meta.url), { name: file });
globalThis.MonacoEnvironment = {
  getWorker: (_id, label) =>
    worker(label === 'json' || label === 'graphql' ? `${label}.worker.js` : 'editor.worker.js'),
};

const endpoint = new URL('/graphql', location.href);
const fetcher = createFetcher(endpoint);

/** Reads the schema as soon as a key is there, so that completion works without pressing "re-fetch". */
function SchemaFollowsKey() {
  const { introspect } = useGraphiQLActions();
  const authorization = useGraphiQL((state) => authorizationOf(state.tabs[state.activeTabIndex]?.headers));
  useEffect(() => {
    if (authorization === undefined) return undefined;
    const timer = setTimeout(introspect, 400);
    return () => clearTimeout(timer);
  }, [authorization, introspect]);
  return null;
}

// A stolen browser profile holds neither keys nor what was asked with them.
createRoot(document.getElementById('graphiql')).render(
  createElement(
    GraphiQL,
    {
      fetcher,
      storage,
      shouldPersistHeaders: false,
      defaultQuery: EXAMPLES,
      defaultHeaders: HEADERS,
      initialHeaders: HEADERS,
      defaultEditorToolsVisibility: 'headers',
    },
    createElement(GraphiQL.Logo, null, createElement('a', { href: '/' }, 'Workflow Gateway')),
    createElement(GraphiQL.Footer, null, createElement(SchemaFollowsKey)),
  ),
);
