import { type Attack } from '../attack.js';
import { brokenPosts } from './connections/broken-posts.js';
import { contains } from './documents/contains.js';
import { costlyDocuments } from './documents/costly-documents.js';
import { costlyCertificates } from './costly-certificates.js';
import { deepJson } from './deep-json.js';
import { failedRuns } from './documents/failed-runs.js';
import { fanOut } from './fan-out.js';
import { farPages } from './documents/far-pages.js';
import { fragments } from './documents/fragments.js';
import { hangingRuns } from './hanging-runs.js';
import { hookStorm } from './hook-storm.js';
import { largeHooks } from './large-hooks.js';
import { largeLists } from './documents/large-lists.js';
import { largeWebhooks } from './large-webhooks.js';
import { listsOfRuns } from './documents/lists-of-runs.js';
import { lockedRun } from './locked-run.js';
import { keylessPages } from './connections/keyless-pages.js';
import { madeUpKeys } from './connections/made-up-keys.js';
import { mails } from './mails.js';
import { manyListeners } from './connections/many-listeners.js';
import { objectAnswers } from './object-answers.js';
import { passwords } from './connections/passwords.js';
import { readsBeyond } from './connections/reads-beyond.js';
import { searches } from './documents/searches.js';
import { sessionFragments } from './documents/session-fragments.js';
import { socketMessages } from './connections/socket-messages.js';
import { statistics } from './documents/statistics.js';
import { tinyChunks } from './connections/tiny-chunks.js';
import { unfinishedBodies } from './connections/unfinished-bodies.js';
import { unreadEvents } from './connections/unread-events.js';
import { waits } from './connections/waits.js';
import { writesBeyond } from './connections/writes-beyond.js';

/** Every attack, in the order of the table. */
export const attacks: readonly Attack[] = [
  fragments,
  sessionFragments,
  objectAnswers,
  hangingRuns,
  unreadEvents,
  tinyChunks,
  unfinishedBodies,
  contains,
  manyListeners,
  largeLists,
  listsOfRuns,
  failedRuns,
  statistics,
  farPages,
  searches,
  largeHooks,
  largeWebhooks,
  hookStorm,
  lockedRun,
  fanOut,
  socketMessages,
  passwords,
  madeUpKeys,
  mails,
  brokenPosts,
  readsBeyond,
  writesBeyond,
  costlyDocuments,
  waits,
  deepJson,
  keylessPages,
  costlyCertificates,
];
