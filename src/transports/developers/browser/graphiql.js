import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { GraphiQL } from 'graphiql';
import 'graphiql/style.css';
import { createElement, useEffect } from 'react';
import { createPortal } from 'react-dom';
import { createRoot } from 'react-dom/client';
import './graphiql.css';
import { examples, HEADERS } from './examples.js';
import { authorizationOf, createFetcher } from './fetcher.js';
import { chosenScheme, SIGN_IN, signedInUser } from './session.js';
import { storage } from './storage.js';

const worker = (file) => new Worker(new URL(file, import.meta.url), { name: file });
globalThis.MonacoEnvironment = {
  getWorker: (_id, label) =>
    worker(label === 'json' || label === 'graphql' ? `${label}.worker.js` : 'editor.worker.js'),
};

const endpoint = new URL('/graphql', location.href);
const user = await signedInUser();
const signedIn = user !== undefined;
const fetcher = createFetcher(endpoint, { signedIn });

/** The key in the headers of the visible tab. */
function useKey() {
  return useGraphiQL((state) => authorizationOf(state.tabs[state.activeTabIndex]?.headers));
}

/** Fetches the schema as soon as there is a key, so that completion works without pressing "re-fetch". */
function SchemaFollowsKey() {
  const { introspect } = useGraphiQLActions();
  const authorization = useKey();
  useEffect(() => {
    if (authorization === undefined) return undefined;
    const timer = setTimeout(introspect, 400);
    return () => clearTimeout(timer);
  }, [authorization, introspect]);
  return null;
}

/** Shows at the top of the page which identity its requests use. */
function Identity() {
  const withKey = useKey() !== undefined;
  return createPortal(withKey ? 'Using the API key under “Headers”' : bySession(), document.getElementById('who'));
}

function bySession() {
  if (signedIn) return ['Signed in as ', createElement('b', { key: 'name', title: user.email }, user.name)];
  return [createElement('a', { key: 'sign-in', href: SIGN_IN }, 'Sign in'), ', or enter an API key under “Headers”'];
}

// Session storage only: a stolen browser profile holds neither keys nor queries.
createRoot(document.getElementById('graphiql')).render(
  createElement(
    GraphiQL,
    {
      fetcher,
      storage,
      shouldPersistHeaders: false,
      defaultTheme: chosenScheme() ?? null,
      defaultQuery: examples({ signedIn }),
      ...(!signedIn && { defaultHeaders: HEADERS, initialHeaders: HEADERS, defaultEditorToolsVisibility: 'headers' }),
    },
    createElement(GraphiQL.Footer, null, createElement(SchemaFollowsKey), createElement(Identity)),
  ),
);
