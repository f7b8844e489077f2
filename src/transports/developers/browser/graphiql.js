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

/** The key in the headers of the tab that one looks at. */
function useKey() {
  return useGraphiQL((state) => authorizationOf(state.tabs[state.activeTabIndex]?.headers));
}

/** Reads the schema as soon as a key is there, so that completion works without pressing "re-fetch". */
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

/** Says at the top of the page as whom one asks. */
function Who() {
  const withKey = useKey() !== undefined;
  return createPortal(
    withKey ? 'Asking with the API key under “Headers”' : bySession(),
    document.getElementById('who'),
  );
}

function bySession() {
  if (signedIn) return ['Signed in as ', createElement('b', { key: 'name', title: user.email }, user.name)];
  return [createElement('a', { key: 'sign-in', href: SIGN_IN }, 'Sign in'), ', or put an API key under “Headers”'];
}

// A stolen browser profile holds neither keys nor what was asked with them.
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
    createElement(GraphiQL.Footer, null, createElement(SchemaFollowsKey), createElement(Who)),
  ),
);
